// SPDX-License-Identifier: Apache-2.0
// A viewer made of Foxglove's own packages: client, schema parser, CDR reader and writer.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");
export const { FoxgloveClient } = require("@foxglove/ws-protocol");
export const { WebSocket } = require("ws");

export const text_of = (data) => new TextDecoder().decode(data);
export const bytes_of = (object) => new TextEncoder().encode(JSON.stringify(object));
export const reader_of = ({ schema }) => new MessageReader(parse(schema, { ros2: true }));
export const writer_of = ({ schema }) => new MessageWriter(parse(schema, { ros2: true }));

// Everything that comes is kept, so that whoever waits for it may come later.
export class Guest {
  constructor(port, query, protocols) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/${query}`, protocols);
    this.client = new FoxgloveClient({ ws: this.socket });
    this.events = [];
    this.waiting = [];
    const names = ["open", "error", "close", "serverInfo", "status", "message", "time", "advertise", "unadvertise",
      "advertiseServices", "unadvertiseServices", "parameterValues", "serviceCallResponse", "serviceCallFailure",
      "connectionGraphUpdate", "fetchAssetResponse"];
    for (const name of names) {
      this.client.on(name, (event) => {
        this.events.push({ name, event });
        for (const look of this.waiting) look();
      });
    }
  }

  // The first event of that name for which `holds`, from now or before; it is taken out.
  async next(name, holds = () => true) {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.events.findIndex((one) => one.name === name && holds(one.event));
        if (found < 0) return false;
        this.waiting = this.waiting.filter((one) => one !== look);
        resolve(this.events.splice(found, 1)[0].event);
        return true;
      };
      if (!look()) this.waiting.push(look);
    });
  }
  async complaint() {
    return (await this.next("status", (status) => status.level === 2)).message;
  }
}

// What Foxglove's viewers make of a JSON schema: they throw at an object without properties and at a list of types.
function check_json_schema(topic, schema) {
  assert.equal(typeof schema.type, "string", `${topic}: ${JSON.stringify(schema)}`);
  if (schema.type === "array") check_json_schema(topic, schema.items);
  if (schema.type !== "object") return;
  assert.ok(schema.properties, `${topic}: an object without properties`);
  for (const property of Object.values(schema.properties)) check_json_schema(topic, property);
}

// How the viewers read the messages of a channel, given what it says of itself.
export function reading(channel) {
  if (channel.encoding === "json") {
    check_json_schema(channel.topic, JSON.parse(channel.schema));
    return (data) => JSON.parse(text_of(data));
  }
  assert.deepEqual([channel.encoding, channel.schemaEncoding], ["cdr", "ros2msg"], channel.topic);
  const reader = reader_of(channel);
  const writer = writer_of(channel);
  return (data) => {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const message = reader.readMessage(bytes);
    // Written again by other people's code the message is the same bytes; some pad the end of theirs.
    const again = writer.writeMessage(message);
    assert.ok(Math.abs(again.length - bytes.length) < 4, `${channel.topic}: ${bytes.length} bytes, ${again.length} again`);
    assert.deepEqual(again.subarray(4, bytes.length), bytes.subarray(4, again.length), channel.topic);
    return message;
  };
}
