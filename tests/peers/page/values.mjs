// What the overview of a machine says of its values, against what the program says.
import assert from "node:assert/strict";

// `machine` as status.json has it. Its rows are seen.
export async function checkValues(page, { name, values }) {
  const rows = await page.$$eval(".values tbody th", (all) => all.map((one) => one.textContent));
  const has = (row) => assert.ok(rows.includes(row), `${name}: no row "${row}" among ${rows}`);
  for (const { name: value, unit, numbers } of values) {
    if (numbers.length === 1) has(unit ? `${value} ${unit}` : value);
    if (/pose/.test(value)) has(unit === "m, quaternion" ? `${value} qx` : `${value} ${numbers.length === 3 ? "yaw" : "roll"} rad`);
  }
  const first = values[0].name.split(",")[0];
  assert.ok(rows[0].startsWith(first), `${name}: ${first} is not the first of ${rows}`);
}
