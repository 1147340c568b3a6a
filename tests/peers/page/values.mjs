// SPDX-License-Identifier: Apache-2.0
// What the overview of a machine says of its values, against what the program says.
import assert from "node:assert/strict";

const rowAt = (rows, value, i) => rows.findIndex((row) => row.startsWith(`${value} `)) + i;

// `machine` as status.json has it. Its rows are seen.
export async function checkValues(page, { name, values }) {
  const rows = await page.$$eval(".values tbody th", (all) => all.map((one) => one.textContent));
  const has = (row) => assert.ok(rows.includes(row), `${name}: no row "${row}" among ${rows}`);
  for (const { name: value, unit, numbers, parts } of values) {
    if (numbers.length === 1) has(unit ? `${value} ${unit}` : value);
    for (const [i, part] of (parts ?? []).entries()) assert.ok(rows[rowAt(rows, value, i)]?.startsWith(`${value} ${part}`), `${name}: no row "${value} ${part}" among ${rows}`);
    if (unit === "m, quaternion") has(`${value} qx`);
  }
  // Numbers without a name are those of a value that is one.
  const nameless = rows.filter((row) => values.some(({ name: value, numbers }) => numbers.length > 1 && new RegExp(`^${value} \\d`).test(row)));
  assert.deepEqual(nameless, [], `${name}: numbers instead of names`);
  if (name === "ur3e") {
    for (const row of ["joints shoulder rad", "tool pose rx rad", "tool pose rz rad"]) has(row);
    assert.ok(!rows.some((row) => /roll|pitch|yaw/.test(row)), `${name}: a rotation vector is called roll, pitch and yaw: ${rows}`);
  }
  if (name === "raptorlift") for (const row of ["wheel speeds front right rad/s", "steering rear left rad", "torques rear right N m"]) has(row);
  const first = values[0].name.split(",")[0];
  assert.ok(rows[0].startsWith(first), `${name}: ${first} is not the first of ${rows}`);
}
