// SPDX-License-Identifier: Apache-2.0
// Our CDR against npm @foxglove/rosmsg2-serialization, both ways: rosmsg_cdr.mjs PROGRAM
// What we write it reads and writes again as the same bytes; what it writes of its own values we do.
import { definitions_of, lines, require, run } from "./rosmsg.mjs";

const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
const [program] = process.argv.slice(2);
const rounds = 20;
const least = 400;

// mulberry32: small, seeded, good enough to vary values.
let state = 6;
function random(limit) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit;
}
const whole = (limit) => Math.floor(random(limit));

function text(bound = 12) {
  return Array.from({ length: whole(Math.min(bound, 12) + 1) }, () => String.fromCharCode(32 + whole(95))).join("");
}

const makers = {
  bool: () => whole(2) === 1,
  int8: () => whole(256) - 128,
  uint8: () => whole(256),
  int16: () => whole(65536) - 32768,
  uint16: () => whole(65536),
  int32: () => whole(2 ** 32) - 2 ** 31,
  uint32: () => whole(2 ** 32),
  int64: () => BigInt.asIntN(64, (BigInt(whole(2 ** 32)) << 32n) | BigInt(whole(2 ** 32))),
  uint64: () => (BigInt(whole(2 ** 32)) << 32n) | BigInt(whole(2 ** 32)),
  float32: () => Math.fround(random(2e6) - 1e6),
  float64: () => random(2e6) - 1e6,
  time: () => ({ sec: whole(2 ** 32) - 2 ** 31, nsec: whole(2 ** 32) }),
  duration: () => ({ sec: whole(2 ** 32) - 2 ** 31, nsec: whole(2 ** 32) }),
};

function value_of(field, definitions) {
  const one = () => {
    if (field.isComplex) return message_of(definitions.get(field.type), definitions);
    if (field.type === "string") return text(field.upperBound);
    return makers[field.type]();
  };
  if (!field.isArray) return one();
  return Array.from({ length: field.arrayLength ?? whole(Math.min(field.arrayUpperBound ?? 3, 3) + 1) }, one);
}

function message_of(fields, definitions) {
  return Object.fromEntries(fields.map((field) => [field.name, value_of(field, definitions)]));
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const problems = [];

const types = new Map();
for (const { type, definition } of lines(program, "types")) {
  const definitions = definitions_of(definition);
  types.set(type, { definitions, reader: new MessageReader(definitions), writer: new MessageWriter(definitions) });
}

const sent = new Set();
let read = 0;
for (const { type, cdr } of lines(program, "write")) {
  const { reader, writer } = types.get(type);
  sent.add(type);
  try {
    const again = hex(writer.writeMessage(reader.readMessage(Buffer.from(cdr, "hex"))));
    if (again !== cdr) problems.push(`${type}: we write ${cdr}, npm writes ${again}`);
    read += 1;
  } catch (error) {
    problems.push(`${type} ${cdr}: ${error.message}`);
  }
}

const written = [];
for (const type of sent) {
  const { definitions, writer } = types.get(type);
  const by_name = new Map(definitions.map((definition) => [definition.name ?? "", definition.definitions]));
  for (let round = 0; round < rounds; ++round) {
    written.push(`${type} ${hex(writer.writeMessage(message_of(definitions[0].definitions, by_name)))}\n`);
  }
}
const { code, text: answer } = run(program, "read", written.join(""));
if (code !== 0) problems.push(`of what npm wrote:\n${answer}`);
if (!answer.includes(`${written.length} right, 0 wrong`)) problems.push(`expected ${written.length} right: ${answer}`);

for (const problem of problems.slice(0, 20)) console.log(problem);
console.log(`${sent.size} types: npm read ${read} messages of ours, we read ${written.length} of npm's`);
if (sent.size < least) console.log(`at least ${least} types should have been compared`);
process.exit(problems.length === 0 && sent.size >= least ? 0 : 1);
