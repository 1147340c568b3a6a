// SPDX-License-Identifier: Apache-2.0
// npm @mcap/core reads what we write, with every CRC checked, and we read what it writes.
// Usage: node mcap_core.mjs PROGRAM
import { McapIndexedReader, McapStreamReader, McapWriter, TempBuffer } from "@mcap/core";
import { compress, init } from "@bokuweb/zstd-wasm";
import { decompress } from "fzstd";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "./crc32.mjs";

const program = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "tandem_mcap_"));
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
const start = 1700000000000000000n;

function expected() {
  const messages = [];
  for (let i = 0; i < 1000; ++i) {
    const logTime = start + BigInt(i) * 1000n - (i % 10 === 0 ? 40000n : 0n);
    const data = Uint8Array.from({ length: i % 200 }, (_, j) => (31 * i + j) & 255);
    messages.push({ topic: `/t${i % 3}`, sequence: i, logTime, publishTime: logTime - 7n, data });
  }
  return messages;
}

const line = (m) =>
  `${m.topic} ${m.sequence} ${m.logTime} ${m.publishTime} ${m.data.length} ${crc32(m.data).toString(16).padStart(8, "0")}`;
// Stable, and those of one time in the order of the file.
const byTime = (messages) => [...messages].sort((a, b) => (a.logTime < b.logTime ? -1 : a.logTime > b.logTime ? 1 : 0));

function readable(bytes) {
  return {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)),
  };
}

async function readIndexed(bytes) {
  const reader = await McapIndexedReader.Initialize({ readable: readable(bytes), decompressHandlers });
  assert.equal(reader.header.profile, "peer");
  assert.equal(reader.statistics.messageCount, 1000n);
  assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
  assert.equal(reader.attachmentIndexes.length, 1);
  assert.equal(reader.metadataIndexes.length, 1);
  const messages = [];
  for await (const message of reader.readMessages()) {
    messages.push({ ...message, topic: reader.channelsById.get(message.channelId).topic });
  }
  for await (const attachment of reader.readAttachments()) {
    assert.equal(Buffer.from(attachment.data).toString(), "an attachment");
    assert.equal(attachment.createTime, 6n);
  }
  for await (const metadata of reader.readMetadata()) assert.equal(metadata.metadata.get("rule"), "31 i + j");
  const window = [];
  for await (const message of reader.readMessages({ topics: ["/t1"], startTime: start + 100000n, endTime: start + 200000n })) {
    window.push(message.sequence);
  }
  const chosen = expected().filter((m) => m.topic === "/t1" && m.logTime >= start + 100000n && m.logTime <= start + 200000n);
  assert.deepEqual(window, byTime(chosen).map((m) => m.sequence));
  return messages;
}

function readStreaming(bytes) {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  const topics = new Map();
  const messages = [];
  const kinds = new Map();
  for (let at = 0; at < bytes.length; at += 1000) {
    reader.append(bytes.subarray(at, at + 1000));
    for (let record; (record = reader.nextRecord()); ) {
      kinds.set(record.type, (kinds.get(record.type) ?? 0) + 1);
      if (record.type === "Channel") topics.set(record.id, record.topic);
      if (record.type === "Message") messages.push({ ...record, topic: topics.get(record.channelId), data: record.data.slice() });
    }
  }
  assert.ok(reader.done());
  assert.equal(kinds.get("Footer"), 1);
  assert.equal(kinds.get("DataEnd"), 1);
  assert.ok(kinds.get("ChunkIndex") > 5);
  return messages;
}

async function theirs(options) {
  const buffer = new TempBuffer();
  const writer = new McapWriter({ writable: buffer, chunkSize: 8192, ...options });
  await writer.start({ profile: "", library: "peer" });
  const schema = await writer.registerSchema({ name: "test.T", encoding: "jsonschema", data: new TextEncoder().encode("{}") });
  const channels = [];
  for (let i = 0; i < 3; ++i) {
    channels.push(await writer.registerChannel({ schemaId: schema, topic: `/t${i}`, messageEncoding: "json", metadata: new Map([["a", "b"]]) }));
  }
  for (const message of expected()) {
    await writer.addMessage({ ...message, channelId: channels[message.sequence % 3] });
  }
  await writer.addAttachment({ name: "a.txt", mediaType: "text/plain", logTime: 5n, createTime: 6n, data: new TextEncoder().encode("x") });
  await writer.addMetadata({ name: "about", metadata: new Map([["k", "v"]]) });
  await writer.end();
  return buffer.get();
}

try {
  const file = join(folder, "ours.mcap");
  execFileSync(program, ["write", file]);
  const bytes = new Uint8Array(readFileSync(file));
  const sorted = byTime(expected()).map(line);
  assert.deepEqual((await readIndexed(bytes)).map(line), sorted);
  assert.deepEqual(readStreaming(bytes).map(line), expected().map(line));
  console.log("@mcap/core reads ours");

  await init();
  const ways = {
    "chunked": {},
    "zstd": { compressChunk: (data) => ({ compression: "zstd", compressedData: compress(data) }) },
    "unchunked": { useChunks: false },
    "without an index": { useChunkIndex: false, useMessageIndex: false },
    "without repeats": { repeatChannels: false, repeatSchemas: false },
    "without a summary": { useStatistics: false, useSummaryOffsets: false, useChunkIndex: false, repeatChannels: false, repeatSchemas: false,
      useAttachmentIndex: false, useMetadataIndex: false },
  };
  for (const [name, options] of Object.entries(ways)) {
    const path = join(folder, "theirs.mcap");
    writeFileSync(path, await theirs(options));
    const lines = execFileSync(program, ["list", path]).toString().trim().split("\n");
    const head = "whole true messages 1000 attachments 1 metadata 1";
    assert.deepEqual(lines, [head, ...sorted, head, ...sorted], name);
    console.log(`ours reads @mcap/core, ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
