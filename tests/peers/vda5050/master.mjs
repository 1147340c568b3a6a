// SPDX-License-Identifier: Apache-2.0
// The master of npm vda-5050-lib against `tandem run` with a virtual truck and its physics, over Debian's mosquitto:
// node master.mjs TANDEM. Orders to their end, stitching, pause, cancel, refusals; every message the truck sends is
// checked by the library's own JSON schemas of VDA 5050 2.0. A second truck speaks 2.1.0, whose messages are valid by them
// but for their version: 2.1 has only added optional fields.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Program, endAll, freePort, place } from "../page/program.mjs";

const require = createRequire(import.meta.url);
const { BlockingType, MasterController, MasterControlClient, Topic } = require("vda-5050-lib");

const binary = process.argv[2];
const agv = { manufacturer: "KIT", serialNumber: "0001" };
const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const deadline = setTimeout(() => end(new Error("not done after 220 s")), 220_000);
// Of the library: it has no client for 2.1.0.
const mqtt = createRequire(require.resolve("vda-5050-lib"))("mqtt");
let master, watcher, newer;
const heard = new Set();

async function end(error) {
  clearTimeout(deadline);
  if (error) console.error(error);
  await Promise.race([Promise.allSettled([master?.stop(), watcher?.stop(), newer?.endAsync?.()]), sleep(2)]);
  await endAll();
  process.exit(error ? 1 : 0);
}

async function until(what, condition, seconds = 60) {
  for (const last = Date.now() + 1000 * seconds; Date.now() < last; await sleep(0.02)) {
    const value = condition();
    if (value) return value;
  }
  throw new Error(`${what}: not within ${seconds} s; the last state: ${JSON.stringify(states.at(-1))}`);
}

const states = [];
const seen = new Map();
const invalid = [];
// What every message must be, by the schemas of the library.
function check(topic, message) {
  seen.set(topic, (seen.get(topic) ?? 0) + 1);
  try {
    watcher.validateTopicObject(topic, message, "2.0.0");
  } catch (error) {
    invalid.push(`${topic}: ${error.message}: ${JSON.stringify(message)}`);
  }
}

const node = (nodeId, sequenceId, x, y, released = true, more = {}) =>
  ({ nodeId, sequenceId, released, nodePosition: { x, y, mapId: "hall", allowedDeviationXy: 0.8, ...more }, actions: [] });
const edge = (edgeId, sequenceId, startNodeId, endNodeId, released = true) =>
  ({ edgeId, sequenceId, startNodeId, endNodeId, released, maxSpeed: 1, actions: [] });

// Gives an order and waits for what the master makes of it.
function assigned(order, events = []) {
  return new Promise((resolve, reject) => {
    master.assignOrder(agv, order, {
      onOrderProcessed: (error, byCancelation, active) => resolve({ error, byCancelation, active, events }),
      onNodeTraversed: (node) => events.push(node.nodeId),
      onEdgeTraversed: (edge) => events.push(edge.edgeId),
    }).catch(reject);
  });
}

function act(actionType, actionId, parameters) {
  const action = { actionType, actionId, blockingType: BlockingType.None };
  if (parameters) action.actionParameters = Object.entries(parameters).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) => {
    master.initiateInstantActions(agv, { instantActions: [action] }, {
      onActionStateChanged: (state) => ["FINISHED", "FAILED"].includes(state.actionStatus) && resolve(state.actionStatus),
      onActionError: (error) => resolve(error.errorType),
    }).catch(reject);
  });
}

async function start() {
  const port = await freePort();
  writeFileSync(place("mosquitto.conf"), `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`);
  const broker = new Program("/usr/sbin/mosquitto", ["-c", place("mosquitto.conf")]);
  await broker.line(/running/);
  const transport = { brokerUrl: `mqtt://127.0.0.1:${port}` };
  const options = { interfaceName: "uagv", transport, vdaVersion: "2.0.0" };
  watcher = new MasterControlClient(options);
  await watcher.start();
  for (const topic of [Topic.Connection, Topic.State, Topic.Visualization, Topic.Factsheet]) {
    await watcher.subscribe(topic, {}, (message) => {
      check(topic, message);
      if (topic === Topic.State) states.push(message);
    });
  }
  newer = mqtt.connect(transport.brokerUrl);
  newer.on("message", (topic, payload) => {
    const message = JSON.parse(payload);
    assert.equal(message.version, "2.1.0");
    const level = topic.split("/").at(-1);
    check(level, { ...message, version: "2.0.0" });
    heard.add(level);
  });
  newer.subscribe("newer/v2/KIT/0002/+");
  writeFileSync(place("fleet.yaml"), `mqtt: { broker: "mqtt://127.0.0.1:${port}" }
ros: { enabled: false }
machines:
  lift: { type: raptorlift, device: virtual, vda5050: true, manufacturer: KIT, serial: "0001", interface: uagv,
          vda5050_version: "2.0.0", map_id: hall, feedback_timeout: 0.6 }
  newer: { type: raptorlift, device: virtual, vda5050: true, manufacturer: KIT, serial: "0002", interface: newer,
           map_id: hall, feedback_timeout: 0.6 }
`);
  const socket = place("fleet.sock");
  new Program(binary, ["run", place("fleet.yaml"), "--web", "off", "--control", socket]);
  const first = await until("a position", () => states.at(-1)?.agvPosition && states.at(-1));
  assert.equal(first.operatingMode, "MANUAL");
  assert.equal(first.agvPosition.positionInitialized, false);
  master = new MasterController(options, {});
  await master.start();
  return { broker, socket };
}

async function main() {
  const { socket } = await start();
  assert.equal(await act("initPosition", "init", { x: 0, y: 0, theta: 0, mapId: "hall", lastNodeId: "n0" }), "FINISHED");

  // Disarmed: refused, and MQTT does not arm.
  const refused = await assigned({ orderId: "early", orderUpdateId: 0, nodes: [node("n0", 0, 0, 0)], edges: [] });
  assert.equal(refused.error.errorType, "orderError");
  await new Program(binary, ["arm", "lift", "--control", socket]).line(/armed/);
  await until("AUTOMATIC", () => states.at(-1).operatingMode === "AUTOMATIC");

  // Around a corner, to the end.
  const order = { orderId: "A", orderUpdateId: 0,
    nodes: [node("n0", 0, 0, 0), node("n1", 2, 5, 0), node("n2", 4, 5, 5)],
    edges: [edge("e1", 1, "n0", "n1"), edge("e2", 3, "n1", "n2")] };
  const done = await assigned(order);
  assert.equal(done.error, undefined);
  assert.equal(done.active, false);
  assert.deepEqual(done.events, ["n0", "e1", "n1", "e2", "n2"]);
  const there = states.at(-1).agvPosition;
  assert.ok(Math.hypot(there.x - 5, there.y - 5) < 0.2, JSON.stringify(there));
  console.log(`order A: done at ${there.x.toFixed(2)}, ${there.y.toFixed(2)}`);

  // With a horizon, then the update that releases it.
  const active = await assigned({ orderId: "B", orderUpdateId: 0,
    nodes: [node("n2", 0, 5, 5), node("n3", 2, 5, 8), node("n4", 4, 5, 11, false)],
    edges: [edge("e3", 1, "n2", "n3"), edge("e4", 3, "n3", "n4", false)] });
  assert.equal(active.error, undefined);
  assert.equal(active.active, true);
  await until("standing at the decision point", () => !states.at(-1).driving);
  assert.ok(states.at(-1).agvPosition.y < 8.2);
  const stitched = await assigned({ orderId: "B", orderUpdateId: 1,
    nodes: [node("n3", 2, 5, 8), node("n4", 4, 5, 11)], edges: [edge("e4", 3, "n3", "n4")] });
  assert.equal(stitched.error, undefined);
  assert.equal(stitched.active, false);
  assert.ok(stitched.events.includes("n4"));

  // Paused, resumed, cancelled: it stops where it is.
  const cancelled = assigned({ orderId: "C", orderUpdateId: 0,
    nodes: [node("n4", 0, 5, 11), node("n5", 2, 5, 30)], edges: [edge("e5", 1, "n4", "n5")] });
  await until("driving", () => states.at(-1).driving);
  assert.equal(await act("startPause", "p"), "FINISHED");
  assert.equal(states.at(-1).paused, true);
  assert.equal(states.at(-1).driving, false);
  assert.equal(await act("stopPause", "s"), "FINISHED");
  await until("driving again", () => states.at(-1).driving);
  assert.equal(await act("cancelOrder", "c"), "FINISHED");
  const outcome = await cancelled;
  assert.equal(outcome.byCancelation, true);
  assert.deepEqual(states.at(-1).nodeStates, []);
  assert.equal(states.at(-1).orderId, "C");
  assert.ok(["FAILED", "noOrderToCancel"].includes(await act("cancelOrder", "c2")));

  // What cannot be done is refused by name.
  const place_now = states.at(-1).agvPosition;
  const here = (more) => node("here", 0, place_now.x, place_now.y, true, more);
  const turn = await assigned({ orderId: "D", orderUpdateId: 0,
    nodes: [here(), node("tight", 2, place_now.x, place_now.y + 1, true, { allowedDeviationXy: 0.05 }),
      node("beside", 4, place_now.x + 3, place_now.y + 1)],
    edges: [edge("d1", 1, "here", "tight"), edge("d2", 3, "tight", "beside")] });
  assert.equal(turn.error.errorType, "orderError");
  assert.ok(turn.error.errorReferences.some((one) => one.referenceKey === "nodeId" && one.referenceValue === "tight"),
    JSON.stringify(turn.error));
  // A master whose clock is far off: the order is warned about and carried out, and the library must not take that for a
  // refusal. It stamps what it sends by Date.
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given) { super(...(given.length ? given : [RealDate.now() - 3600_000])); }
  };
  const skewed = assigned({ orderId: "F", orderUpdateId: 0, nodes: [here()], edges: [] });
  await sleep(0.2);
  globalThis.Date = RealDate;
  const late = await skewed;
  assert.equal(late.error, undefined, JSON.stringify(late.error));
  assert.equal(late.active, false);
  assert.ok(states.at(-1).errors.some((one) => one.errorType === "clockDifference"), JSON.stringify(states.at(-1)));

  const far = await assigned({ orderId: "E", orderUpdateId: 0, nodes: [node("far", 0, 500, 0)], edges: [] });
  assert.equal(far.error.errorType, "noRouteError");

  assert.deepEqual([...heard].sort(), ["connection", "factsheet", "state", "visualization"]);
  assert.deepEqual(invalid, []);
  for (const topic of [Topic.Connection, Topic.State, Topic.Visualization, Topic.Factsheet])
    assert.ok(seen.get(topic) > 0, `no ${topic}`);
  console.log(`every message is valid: ${[...seen].map(([topic, count]) => `${count} ${topic}`).join(", ")}`);
}

main().then(() => end(), end);
