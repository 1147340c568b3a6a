// SPDX-License-Identifier: Apache-2.0
// Foxglove's own client (npm @foxglove/ws-protocol) against our server: node foxglove.mjs PROGRAM, which prints
// "listening PORT" and ends with its standard input.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { FoxgloveClient, Guest, WebSocket, bytes_of, reader_of, text_of } from "./guest.mjs";

const start = 1_700_000_000_000_000_000n;
const worlds = [];
const deadline = setTimeout(() => end(new Error("not done after 100 s")), 100000);
function end(error) {
  clearTimeout(deadline);
  for (const world of worlds) world.kill();
  if (error) console.error(error);
  process.exit(error ? 1 : 0);
}

async function world(...how) {
  const program = spawn(process.argv[2], how, { stdio: ["pipe", "pipe", "inherit"] });
  worlds.push(program);
  return new Promise((resolve, reject) => {
    createInterface({ input: program.stdout }).once("line", (line) => resolve(Number(line.split(" ")[1])));
    program.once("exit", (status) => reject(new Error(`the program ended with ${status}`)));
  });
}

async function greeting(guest) {
  const info = await guest.next("serverInfo");
  assert.equal(info.name, "tandem");
  assert.deepEqual(info.metadata, { control: "yes", mode: "live", tandem: "test" });
  assert.ok(["clientPublish", "parameters", "parametersSubscribe", "time", "services", "connectionGraph", "assets"]
    .every((one) => info.capabilities.includes(one)));
  assert.deepEqual(info.supportedEncodings, ["cdr", "json"]);
  assert.match(info.sessionId, /^[0-9a-f]{16}$/);
  const channels = new Map((await guest.next("advertise")).map((one) => [one.topic, one]));
  const services = await guest.next("advertiseServices");
  assert.equal(services[0].name, "/add");
  assert.equal(services[0].request.encoding, "json");
  return { channels, service: services[0] };
}

async function data(guest, channels) {
  const channel = channels.get("/point");
  assert.deepEqual([channel.encoding, channel.schemaEncoding, channel.schemaName],
    ["cdr", "ros2msg", "geometry_msgs/msg/Point"]);
  const reader = reader_of(channel);
  const id = guest.client.subscribe(channel.id);
  let before = 0n;
  for (let i = 0; i < 10; ++i) {
    const message = await guest.next("message", (one) => one.subscriptionId === id);
    const point = reader.readMessage(message.data);
    assert.equal(point.z, -2.5);
    assert.ok(Math.abs(Math.hypot(point.x, point.y) - 1) < 1e-12);
    assert.ok(message.timestamp > before && message.timestamp >= start);
    before = message.timestamp;
  }
  const time = await guest.next("time");
  assert.ok(time.timestamp >= start);
  guest.client.unsubscribe(id);

  const log = guest.client.subscribe(channels.get("/log").id);
  const kept = [];
  for (let i = 0; i < 2; ++i)
    kept.push(JSON.parse(text_of((await guest.next("message", (one) => one.subscriptionId === log)).data)));
  assert.deepEqual(kept, [{ line: 2 }, { line: 3 }]);
  guest.client.subscribe(channels.get("/log").id);
  assert.equal(await guest.complaint(), `subscribe: channel ${channels.get("/log").id} is already subscribed`);
}

async function publishing(guest, channels) {
  const id = guest.client.subscribe(channels.get("/echo").id);
  const extra = (await guest.next("advertise"))[0];
  assert.equal(extra.topic, "/extra");
  const mine = guest.client.advertise({ topic: "/cmd", encoding: "json", schemaName: "Cmd" });
  guest.client.sendMessage(mine, bytes_of({ speed: 0.5 }));
  const echo = await guest.next("message", (one) => one.subscriptionId === id);
  assert.deepEqual(JSON.parse(text_of(echo.data)), { topic: "/cmd", text: '{"speed":0.5}' });
  guest.client.unadvertise(mine);
  guest.client.sendMessage(mine, bytes_of({}));
  assert.equal(await guest.complaint(), `message: channel ${mine} is not advertised`);
  guest.client.advertise({ topic: "/cmd", encoding: "ros1", schemaName: "Cmd" });
  assert.match(await guest.complaint(), /expected encoding cdr or json, got 'ros1'/);
  guest.client.unsubscribe(id);
  assert.deepEqual(await guest.next("unadvertise"), [extra.id]);
}

async function parameters(guest, other) {
  guest.client.getParameters([], "all");
  const all = await guest.next("parameterValues", (one) => one.id === "all");
  assert.deepEqual(all.parameters, [{ name: "/world.name", value: "small" }, { name: "/world.rate", value: 60 }]);
  other.client.subscribeParameterUpdates(["/world.rate"]);
  other.client.getParameters(["/world.rate"], "settled");
  await other.next("parameterValues", (one) => one.id === "settled");
  guest.client.setParameters([{ name: "/world.rate", value: 72.5 }], "set");
  const set = await guest.next("parameterValues", (one) => one.id === "set");
  assert.deepEqual(set.parameters, [{ name: "/world.rate", value: 72.5 }]);
  assert.deepEqual((await other.next("parameterValues")).parameters, set.parameters);
  guest.client.setParameters([{ name: "/no", value: 1 }]);
  assert.equal(await guest.complaint(), "setParameters: /no: no such parameter");
}

async function services(guest, service) {
  const call = (callId, object) => guest.client.sendServiceCallRequest(
    { serviceId: service.id, callId, encoding: "json", data: bytes_of(object) });
  call(5, { a: 2, b: 40 });
  const answer = await guest.next("serviceCallResponse");
  assert.deepEqual([answer.serviceId, answer.callId, answer.encoding], [service.id, 5, "json"]);
  assert.deepEqual(JSON.parse(text_of(answer.data)), { sum: 42 });
  call(6, {});
  const failure = await guest.next("serviceCallFailure");
  assert.deepEqual([failure.callId, failure.message], [6, "expected the numbers a and b"]);
}

async function graph(guest, channels) {
  guest.client.subscribeConnectionGraph();
  const nothing = { publishedTopics: [], subscribedTopics: [], advertisedServices: [], removedTopics: [],
    removedServices: [], op: "connectionGraphUpdate" };
  assert.deepEqual(await guest.next("connectionGraphUpdate"), { ...nothing,
    publishedTopics: [{ name: "/point", publisherIds: ["/world"] }],
    subscribedTopics: [{ name: "/echo", subscriberIds: ["/listener"] }],
    advertisedServices: [{ name: "/add", providerIds: ["/world"] }] });
  const id = guest.client.subscribe(channels.get("/echo").id);
  assert.deepEqual(await guest.next("connectionGraphUpdate"),
    { ...nothing, publishedTopics: [{ name: "/extra", publisherIds: ["/world"] }] });
  guest.client.unsubscribe(id);
  assert.deepEqual(await guest.next("connectionGraphUpdate"), { ...nothing, removedTopics: ["/extra"] });
  guest.client.unsubscribeConnectionGraph();
}

async function assets(guest) {
  guest.client.fetchAsset("package://tandem/hello", 3);
  const hello = await guest.next("fetchAssetResponse");
  assert.deepEqual([hello.requestId, hello.status, text_of(hello.data)], [3, 0, "hello"]);
  guest.client.fetchAsset("file:///etc/passwd", 4);
  const none = await guest.next("fetchAssetResponse");
  assert.deepEqual([none.requestId, none.status, none.error], [4, 1, "no such asset"]);
}

// One that may only look hears why nothing else works, and stays connected.
async function looking(port) {
  const guest = new Guest(port, "", ["foxglove.sdk.v1", "foxglove.websocket.v1"]);
  const info = await guest.next("serverInfo");
  assert.equal(guest.socket.protocol, "foxglove.sdk.v1");
  assert.equal(info.metadata.control, "no");
  const channels = await guest.next("advertise");
  const service = (await guest.next("advertiseServices"))[0];
  guest.client.advertise({ topic: "/cmd", encoding: "json", schemaName: "Cmd" });
  assert.match(await guest.complaint(), /^advertise: this connection is read-only/);
  guest.client.setParameters([{ name: "/world.rate", value: 1 }]);
  assert.match(await guest.complaint(), /^setParameters: this connection is read-only/);
  guest.client.sendServiceCallRequest(
    { serviceId: service.id, callId: 1, encoding: "json", data: bytes_of({}) });
  assert.match((await guest.next("serviceCallFailure")).message, /read-only/);
  for (const nonsense of ["", "[", '{"op":"subscribe"}', "[".repeat(100000), '{"op":"unsubscribe","subscriptionIds":[1e20]}']) {
    guest.socket.send(nonsense);
    await guest.complaint();
  }
  guest.client.subscribe(channels.find((one) => one.topic === "/point").id);
  await guest.next("message");
  return guest;
}

// The newer messages, which this client does not know and throws on: by hand, and with it beside.
async function playback() {
  const port = await world("replay");
  const old = new Guest(port, "?token=secret", ["foxglove.websocket.v1", "foxglove.sdk.v1"]);
  const info = await old.next("serverInfo");
  assert.equal(old.socket.protocol, "foxglove.websocket.v1");
  assert.ok(!info.capabilities.includes("playbackControl"));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=secret`, ["foxglove.sdk.v1"]);
  socket.binaryType = "arraybuffer";
  const told = new Promise((resolve) => {
    socket.on("message", (message, binary) => {
      if (!binary) {
        const info = JSON.parse(message);
        if (info.op !== "serverInfo") return;
        assert.ok(info.capabilities.includes("playbackControl"));
        assert.deepEqual([info.dataStartTime, info.dataEndTime],
          [{ sec: 1_700_000_000, nsec: 0 }, { sec: 1_700_000_005, nsec: 500_000_000 }]);
        const request = Buffer.alloc(21);
        request.writeUInt8(3, 0);
        request.writeUInt8(0, 1);
        request.writeFloatLE(2, 2);
        request.writeUInt8(1, 6);
        request.writeBigUInt64LE(start + 77n, 7);
        request.writeUInt32LE(2, 15);
        request.write("r1", 19);
        socket.send(request);
        return;
      }
      const view = Buffer.from(message);
      if (view.readUInt8(0) === 5) resolve(view);
    });
  });
  const state = await told;
  assert.equal(state.readUInt8(1), 0);
  assert.equal(state.readBigUInt64LE(2), start + 77n);
  assert.equal(state.readFloatLE(10), 2);
  assert.equal(state.readUInt8(14), 1);
  assert.equal(state.subarray(19).toString(), "r1");
  assert.equal(state.readUInt32LE(15), 2);
  socket.close();
  old.client.fetchAsset("package://tandem/none", 9);  // answered behind what was told meanwhile
  assert.equal((await old.next("fetchAssetResponse")).requestId, 9);
}

async function refused(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ["something.else"]);
  const status = await new Promise((resolve) => {
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
    socket.on("error", () => {});
  });
  assert.equal(status, 400);
  socket.terminate();
}

try {
  const port = await world();
  const guest = new Guest(port, "?token=secret", [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
  const { channels, service } = await greeting(guest);
  assert.equal(guest.socket.protocol, "foxglove.websocket.v1");
  await data(guest, channels);
  const other = await looking(port);
  await publishing(guest, channels);
  await parameters(guest, other);
  await services(guest, service);
  await graph(guest, channels);
  await assets(guest);
  await refused(port);
  await playback();
  assert.ok([guest, other].every((one) => one.socket.readyState === WebSocket.OPEN));
  assert.ok([guest, other].every((one) => one.events.every(({ name }) => name !== "error" && name !== "close")));
  end();
} catch (error) {
  end(error);
}
