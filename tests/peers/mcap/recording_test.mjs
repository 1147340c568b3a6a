// SPDX-License-Identifier: Apache-2.0
// What the program records, read by other people's code: npm @mcap/core with every CRC checked, and every ROS message
// decoded by Foxglove's reader and written again alike. Then a program that is killed while it records: at most the last
// second is missing, and a repaired file is whole. Usage: node recording_test.mjs TANDEM
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { reading } from "../foxglove/guest.mjs";
import { endAll, place, Program } from "../page/program.mjs";

const binary = process.argv[2];
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

const record = (file, machines, seconds) => new Program(binary, ["demo", ...machines, "--record", file, "--for", String(seconds),
  "--web", "off", "--control", place(`${machines[0]}.sock`)]);

// All messages from one end to the other, decoded; counted by topic.
function check(file) {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  reader.append(new Uint8Array(readFileSync(file)));
  const schemas = new Map([[0, { encoding: "", name: "", data: new Uint8Array() }]]);
  const channels = new Map();
  const counts = new Map();
  let last = 0n;
  for (let one; (one = reader.nextRecord()); ) {
    if (one.type === "Schema") schemas.set(one.id, one);
    if (one.type === "Channel" && !channels.has(one.id)) {
      const schema = schemas.get(one.schemaId);
      const read = reading({ topic: one.topic, encoding: one.messageEncoding, schemaEncoding: schema.encoding,
        schema: new TextDecoder().decode(schema.data) });
      channels.set(one.id, { topic: one.topic, read });
    }
    if (one.type === "Message") {
      const { topic, read } = channels.get(one.channelId);
      const value = read(one.data);
      if (topic.endsWith("/field")) assert.ok(value.data !== undefined, topic);
      counts.set(topic, (counts.get(topic) ?? 0) + 1);
      last = one.logTime > last ? one.logTime : last;
    }
  }
  assert.ok(reader.done(), `${file} has an end`);
  return { counts, last };
}

async function whole() {
  const file = place("whole.mcap");
  const program = record(file, ["raptorlift", "em1500"], 6);
  await program.line(/\blive\b/);
  while (!program.ended) await sleep(0.2);
  const { counts } = check(file);
  for (const topic of ["/raptorlift/odom", "/stewart/legs_em1500", "/tf", "/diagnostics", "/tandem/raptorlift/field", "/tandem/em1500/field",
    "/tandem/raptorlift/events", "/tandem/commands", "/tandem/scene", "/tandem/picture", "/tandem/status", "/tandem/log"])
    assert.ok(counts.get(topic) > 0, `nothing on ${topic}; there are ${[...counts.keys()].join(" ")}`);
  await checkIndexed(file, counts);
}

// The same messages are found by the indexes, in the order of time.
async function checkIndexed(file, counts) {
  const bytes = new Uint8Array(readFileSync(file));
  const readable = { size: async () => BigInt(bytes.length), read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)) };
  const indexed = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0);
  assert.equal(Number(indexed.statistics.messageCount), all);
  let found = 0, last = 0n;
  for await (const message of indexed.readMessages()) {
    assert.ok(message.logTime >= last);
    last = message.logTime;
    ++found;
  }
  assert.equal(found, all);
  console.log(`${all} messages on ${counts.size} topics`);
}

// What the black box writes.
async function incident() {
  const control = place("box.sock");
  const program = new Program(binary, ["demo", "raptorlift", "--black-box", place("incidents"), "--for", "6", "--web", "off",
    "--control", control]);
  await program.line(/\blive\b/);
  await sleep(2);
  const file = execFileSync(binary, ["snapshot", "--control", control], { encoding: "utf8" }).trim();
  while (!program.ended) await sleep(0.2);
  const { counts } = check(file);
  for (const topic of ["/raptorlift/odom", "/tandem/raptorlift/field", "/tandem/raptorlift/truth", "/tandem/scene", "/tandem/picture"])
    assert.ok(counts.get(topic) > 0, `nothing on ${topic}; there are ${[...counts.keys()].join(" ")}`);
  await checkIndexed(file, counts);
}

async function killed() {
  const file = place("killed.mcap");
  const program = record(file, ["cable_robot"], 60);
  await program.line(/\blive\b/);
  await sleep(4);
  const when = BigInt(Date.now()) * 1_000_000n;
  await program.end("SIGKILL");
  const mended = place("mended.mcap");
  execFileSync(binary, ["repair", file, "--out", mended]);
  const { counts, last } = check(mended);
  const missing = Number(when - last) / 1e9;
  console.log(`${missing.toFixed(2)} s are missing`);
  assert.ok(missing < 1, `${missing} s are missing`);
  assert.ok(counts.get("/tandem/cable_robot/field") > 100);
}

try {
  await whole();
  await killed();
  await incident();
} finally {
  await endAll();
}
