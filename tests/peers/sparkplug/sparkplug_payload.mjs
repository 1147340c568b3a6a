// SPDX-License-Identifier: Apache-2.0
// npm sparkplug-payload decodes what our edge node sends, and we what it encodes: node sparkplug_payload.mjs PROGRAM
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import payloads from "sparkplug-payload";

const { encodePayload, decodePayload } = payloads.get("spBv1.0");
const program = process.argv[2];
const run = (...words) => execFileSync(program, words, { encoding: "utf8" }).trim().split("\n");
const T = 1700000000000;
const number = (value) => (value === undefined || value === null ? value : Number(value));

const messages = run().map((line) => {
  const [topic, hex] = line.split(" ");
  return { topic: topic.replace("spBv1.0/lab/", ""), payload: decodePayload(Buffer.from(hex, "hex")) };
});
assert.deepEqual(messages.map(({ topic }) => topic), ["NDEATH/cell1", "NBIRTH/cell1", "DBIRTH/cell1/lift",
  "DDATA/cell1/lift", "DDATA/cell1/lift", "NDEATH/cell1", "NBIRTH/cell1", "DBIRTH/cell1/lift", "DDATA/cell1/lift",
  "DDATA/cell1/lift", "DDEATH/cell1/lift", "NDEATH/cell1"]);
assert.deepEqual(messages.map(({ payload }) => number(payload.seq)),
  [undefined, 0, 1, 2, 3, undefined, 0, 1, 2, 3, 4, undefined]);

const metric = (message, find) => {
  const found = message.payload.metrics.find((one) => one.name === find || number(one.alias) === find);
  assert.ok(found, `no metric ${find}`);
  return found;
};
for (const [index, bdSeq] of [[0, 7], [1, 7], [5, 8], [6, 8], [11, 8]]) {
  assert.equal(number(metric(messages[index], "bdSeq").value), bdSeq);
  assert.equal(metric(messages[index], "bdSeq").type, "Int64");
}
const rebirth = metric(messages[1], "Node Control/Rebirth");
assert.deepEqual([rebirth.type, rebirth.value, rebirth.alias ?? null], ["Boolean", false, null]);

const birth = messages[2];
assert.equal(number(birth.payload.timestamp), T + 1);
const expected = { "Device Control/stop": ["Boolean", false], State: ["String", "live"], Armed: ["Boolean", true],
  "Values/speed": ["Double", -0.25], "Last fault": ["String", null], "Link/Samples": ["Int64", 2 ** 40] };
assert.deepEqual(birth.payload.metrics.map(({ name }) => name), Object.keys(expected));
for (const [name, [type, value]] of Object.entries(expected)) {
  const one = metric(birth, name);
  assert.equal(one.type, type, name);
  assert.equal(typeof value === "number" ? number(one.value) : one.value ?? null, value, name);
}
const speed = metric(birth, "Values/speed");
assert.deepEqual(speed.properties, { engUnit: { type: "String", value: "m/s" } });
assert.equal(number(metric(birth, "Link/Samples").timestamp), T + 1);

const alias = number(speed.alias);
assert.equal(metric(messages[3], alias).value, 1.5);
assert.equal(messages[3].payload.metrics.length, 1);
assert.deepEqual(metric(messages[4], alias).properties, { Quality: { type: "Int32", value: 500 } });
assert.equal(metric(messages[8], alias).isHistorical, true);
assert.equal(metric(messages[8], alias).value, 2.5);
assert.equal(number(metric(messages[8], alias).timestamp), T + 1500);
assert.equal(metric(messages[9], number(metric(messages[7], "State").alias)).value, "down");
console.log(`${messages.length} messages decoded by sparkplug-payload`);

const ours = (metrics) => run(Buffer.from(encodePayload({ timestamp: T, metrics })).toString("hex"));
const rows = [["Node Control/Rebirth", "Boolean", true, 11], ["a", "Int8", -1, 1], ["b", "Int16", -2, 2],
  ["c", "Int32", -3, 3], ["d", "Int64", -4, 4], ["e", "UInt8", 200, 5], ["f", "UInt16", 60000, 6],
  ["g", "UInt32", 4000000000, 7], ["h", "UInt64", 5, 8], ["i", "Float", 1.5, 9], ["j", "Double", -0.25, 10],
  ["k", "String", "words", 12], ["l", "DateTime", T, 13], ["m", "Text", "more", 14], ["n", "UUID", "x-y", 15]];
const read = ours(rows.map(([name, type, value]) => ({ name, type, value })));
assert.deepEqual(read, rows.map(([name, , value, type]) => `${name} ${type} ${value}`));
console.log(`${rows.length} values of sparkplug-payload decoded by us`);
