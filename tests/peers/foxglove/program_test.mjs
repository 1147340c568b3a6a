// SPDX-License-Identifier: Apache-2.0
// Foxglove's own client against the running program: node program_test.mjs TANDEM. Every channel must be one that the
// viewers can read, and what they publish and call must reach the machine.
import assert from "node:assert/strict";
import { endAll, serve } from "../page/program.mjs";
import { FoxgloveClient, Guest, bytes_of, reader_of, reading, text_of, writer_of } from "./guest.mjs";

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// All channels, once no more have come for three seconds.
async function channels_of(guest) {
  const channels = new Map();
  for (;;) {
    const more = await Promise.race([guest.next("advertise"), sleep(channels.size < 20 ? 30 : 3)]);
    if (!more) return channels;
    for (const channel of more) channels.set(channel.topic, channel);
  }
}

// The last message that came on a subscription.
async function newest(guest, id, read) {
  let message = await guest.next("message", (one) => one.subscriptionId === id);
  guest.events = guest.events.filter(({ name, event }) => {
    if (name !== "message" || event.subscriptionId !== id) return true;
    message = event;
    return false;
  });
  return read(message.data);
}

async function every_channel(guest, channels) {
  const readers = new Map();
  for (const channel of channels.values()) readers.set(guest.client.subscribe(channel.id), [channel.topic, reading(channel)]);
  const heard = new Set();
  for (const end = Date.now() + 6000; Date.now() < end;) {
    const message = await Promise.race([guest.next("message"), sleep(1)]);
    if (!message) continue;
    const [topic, read] = readers.get(message.subscriptionId);
    read(message.data);
    heard.add(topic);
  }
  for (const id of readers.keys()) guest.client.unsubscribe(id);
  for (const topic of ["/tandem/scene", "/tandem/picture", "/tandem/status", "/tandem/latency", "/tandem/log", "/tf",
    "/raptorlift/odom", "/raptorlift/robot_description", "/stewart/legs_em1500", "/stewart/markers", "/diagnostics", "/cable_tensions"]) {
    assert.ok(heard.has(topic), `nothing came on ${topic}; heard ${[...heard].sort().join(" ")}`);
  }
  console.log(`${channels.size} channels understood, ${heard.size} of them heard and written again alike`);
}

async function drive(guest, channels, services) {
  let number = 0;
  const call = async (name, encoding) => {
    const service = services.get(name);
    assert.ok(service, `no service ${name} among ${[...services.keys()].join(" ")}`);
    number += 1;
    const data = encoding === "json" ? bytes_of({}) : writer_of(service.request).writeMessage({});
    guest.client.sendServiceCallRequest({ serviceId: service.id, callId: number, encoding, data });
    const answer = await guest.next("serviceCallResponse", (one) => one.callId === number);
    assert.equal(answer.encoding, encoding);
    return encoding === "json" ? JSON.parse(text_of(answer.data)) : reader_of(service.response).readMessage(answer.data);
  };
  const names = [...services.keys()].filter((name) => name.endsWith("/stop"));
  const node = names.find((name) => /raptor|ackermann|hardware|lift/.test(name))?.slice(0, -"/stop".length);
  assert.ok(node, `no stop of the truck among ${names.join(" ")}`);
  const read = reading(channels.get("/raptorlift/odom"));
  const odometry = guest.client.subscribe(channels.get("/raptorlift/odom").id);
  const speed = async () => (await newest(guest, odometry, read)).twist.twist.linear.x;

  assert.equal((await call(`${node}/stop`, "cdr")).success, true);
  for (const end = Date.now() + 20000; Math.abs(await speed()) > 0.01;) assert.ok(Date.now() < end, "it does not stop");
  const refused = await call(`${node}/arm`, "json");
  assert.equal(refused.success, false);
  assert.match(refused.message, /stop/);
  assert.equal((await call(`${node}/reset`, "json")).success, true);
  assert.equal((await call(`${node}/arm`, "cdr")).success, true);

  for (const encoding of ["cdr", "json"]) {
    const wanted = encoding === "cdr" ? 0.3 : -0.2;
    const twist = { linear: { x: wanted, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } };
    const schema = "Vector3 linear\nVector3 angular\n" + "=".repeat(80) + "\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n";
    const mine = guest.client.advertise({ topic: "/raptorlift/cmd_vel", encoding, schemaName: "geometry_msgs/msg/Twist",
      schema, schemaEncoding: "ros2msg" });
    const data = encoding === "cdr" ? writer_of({ schema }).writeMessage(twist) : bytes_of(twist);
    for (const end = Date.now() + 30000; Math.abs((await speed()) - wanted) > 0.05;) {
      assert.ok(Date.now() < end, `${encoding}: not ${wanted} m/s but ${await speed()}; ${JSON.stringify(
        guest.events.filter(({ name }) => name === "status"))}`);
      guest.client.sendMessage(mine, data);
      await sleep(0.05);
    }
    guest.client.unadvertise(mine);
    for (const end = Date.now() + 20000; Math.abs(await speed()) > 0.01;) assert.ok(Date.now() < end, `${encoding}: goes on`);
  }
  guest.client.unsubscribe(odometry);
}

async function parameters(guest) {
  guest.client.getParameters([], "all");
  const { parameters } = await guest.next("parameterValues", (one) => one.id === "all");
  assert.ok(parameters.length > 20, `only ${parameters.length} parameters`);
  assert.ok(parameters.every(({ name, value }) => name.includes(".") && value !== undefined));
}

async function graph(guest) {
  guest.client.subscribeConnectionGraph();
  const { publishedTopics, advertisedServices } = await guest.next("connectionGraphUpdate");
  assert.ok(publishedTopics.find(({ name }) => name === "/raptorlift/odom")?.publisherIds.length > 0);
  assert.ok(advertisedServices.some(({ name }) => name.endsWith("/arm")));
  guest.client.unsubscribeConnectionGraph();
}

async function assets(guest) {
  guest.client.fetchAsset("package://tandem/raptorlift/robot_description.urdf", 1);
  const description = await guest.next("fetchAssetResponse");
  assert.equal(description.status, 0, description.error);
  assert.match(text_of(description.data), /<robot/);
  guest.client.fetchAsset("package://tandem/../../etc/passwd", 2);
  assert.equal((await guest.next("fetchAssetResponse")).status, 1);
}

const deadline = setTimeout(() => end(new Error("not done after 170 s")), 170000);
async function end(error) {
  clearTimeout(deadline);
  if (error) console.error(error);
  await endAll();
  process.exit(error ? 1 : 0);
}

try {
  const program = await serve(process.argv[2], ["demo", "raptorlift", "em1500", "cable_robot"]);
  const guest = new Guest(new URL(program.control).port, new URL(program.control).search, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
  const info = await guest.next("serverInfo");
  assert.deepEqual(["clientPublish", "parameters", "parametersSubscribe", "services", "connectionGraph", "assets"]
    .filter((one) => !info.capabilities.includes(one)), []);
  assert.deepEqual([...info.supportedEncodings].sort(), ["cdr", "json"]);
  const channels = await channels_of(guest);
  const services = new Map();
  for (const { name, event } of guest.events) {
    if (name === "advertiseServices") for (const service of event) services.set(service.name, service);
  }
  await every_channel(guest, channels);
  await parameters(guest);
  await graph(guest);
  await assets(guest);
  await drive(guest, channels, services);
  assert.ok(guest.events.every(({ name }) => name !== "error" && name !== "close"));
  end();
} catch (error) {
  end(error);
}
