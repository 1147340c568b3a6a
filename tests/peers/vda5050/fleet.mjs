// SPDX-License-Identifier: Apache-2.0
// The master of npm vda-5050-lib against ten virtual trucks in two processes, while cables are pulled and the broker is
// killed and started again: node fleet.mjs TANDEM. Every job is done once, by one order that reaches its last node.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { Program, endAll, freePort, place } from "../page/program.mjs";

const require = createRequire(import.meta.url);
const { BlockingType, MasterController, MasterControlClient, Topic } = require("vda-5050-lib");

const binary = process.argv[2];
const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const deadline = setTimeout(() => end(new Error("not done after 280 s")), 280_000);
const jobs = [4, 8, 12]; // m along the lane of each truck
const slow = 0.4; // s until a message is missed
let master, watcher, brokerPort;

async function end(error) {
  clearTimeout(deadline);
  if (error) console.error(error);
  await Promise.race([Promise.allSettled([master?.stop(), watcher?.stop()]), sleep(2)]);
  await endAll();
  process.exit(error ? 1 : 0);
}

async function until(what, condition, seconds = 90) {
  for (const last = Date.now() + 1000 * seconds; Date.now() < last; await sleep(0.02)) {
    const value = condition();
    if (value) return value;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

// A cable between one process and the broker, to be pulled.
class Cable {
  constructor() {
    this.sockets = new Set();
    this.pulled = false;
  }
  open() {
    return new Promise((ready) => {
      this.server = createServer((near) => {
        if (this.pulled) return near.destroy();
        const far = connect(brokerPort, "127.0.0.1");
        for (const [socket, other] of [[near, far], [far, near]]) {
          this.sockets.add(socket);
          socket.on("error", () => other.destroy());
          socket.on("close", () => (this.sockets.delete(socket), other.destroy()));
          socket.pipe(other);
        }
      }).listen(0, "127.0.0.1", () => ready(this.server.address().port));
    });
  }
  pull() {
    this.pulled = true;
    for (const socket of this.sockets) socket.destroy();
  }
}

class Truck {
  constructor(number, socket) {
    this.name = `lift${number}`;
    this.agv = { manufacturer: "KIT", serialNumber: String(number).padStart(4, "0") };
    this.lane = 10 * number; // m, its y
    this.socket = socket;
    this.node = "start";
    this.done = []; // ids of orders that reached their last node
    this.begun = new Set(); // ids of orders that the truck has shown
    this.actions = 0;
    this.plugged = true;
  }
  take(state) {
    this.state = state;
    if (state.orderId) this.begun.add(state.orderId);
  }
  get at() {
    return this.state.agvPosition;
  }
  get ready() {
    return this.state?.operatingMode === "AUTOMATIC" && this.at?.positionInitialized === true;
  }
  async tandem(...words) {
    const program = new Program(binary, [...words, "--control", this.socket]);
    await until(words.join(" "), () => program.ended);
    return program.lines;
  }

  // What a person beside it does: says where it is, resets and arms it. Messages may be lost.
  async prepare() {
    for (const last = Date.now() + 90_000; !this.ready; await sleep(slow)) {
      if (Date.now() > last) throw new Error(`${this.name} is not ready: ${JSON.stringify(this.state)}`);
      if (!this.plugged || !this.at || !this.state) continue;
      if (!this.at.positionInitialized && !this.state.driving) {
        const { x, y, theta } = this.begun.size > 0 ? this.at : { x: 0, y: this.lane, theta: 0 };
        const parameters = { x, y, theta, mapId: "hall", lastNodeId: this.node };
        await watcher.publish(Topic.InstantActions, this.agv, {
          instantActions: [{ actionType: "initPosition", actionId: `${this.name}-init-${++this.actions}`,
            blockingType: BlockingType.None,
            actionParameters: Object.entries(parameters).map(([key, value]) => ({ key, value })) }],
        }).catch(() => {});
        await sleep(slow);
      }
      if (this.state.operatingMode === "AUTOMATIC") continue;
      await this.tandem("reset", this.name);
      await this.tandem("arm", this.name);
    }
  }

  order(id, target, x) {
    const node = (nodeId, sequenceId, at, allowedDeviationXy) => ({ nodeId, sequenceId, released: true, actions: [],
      nodePosition: { x: at, y: this.lane, mapId: "hall", allowedDeviationXy } });
    return { orderId: id, orderUpdateId: 0,
      nodes: [node(this.node, 0, Math.min(this.at.x, x - 0.5), 1), node(target, 2, x, 0.5)],
      edges: [{ edgeId: `to-${target}`, sequenceId: 1, released: true, startNodeId: this.node, endNodeId: target,
        maxSpeed: 1, actions: [] }] };
  }

  // One job: an order, and if the truck loses that on its way a new one for the rest.
  async drive(job) {
    const target = `${this.name}-n${job}`;
    const x = jobs[job];
    for (let attempt = 0; attempt < 20; ++attempt) {
      await this.prepare();
      const id = `${this.name}-${job}-${attempt}`;
      const order = this.order(id, target, x);
      let outcome = null;
      master.assignOrder(this.agv, order, { onOrderProcessed: (error) => (outcome = { error }) }).catch(() => {});
      // QoS 0: an order that the truck does not show is sent again, as the same one.
      for (let asked = Date.now(); !outcome; await sleep(0.05)) {
        if (this.state.orderId === id && this.state.nodeStates.length === 0) break;
        if (this.begun.has(id) && this.state.orderId === id && this.state.operatingMode !== "AUTOMATIC") break;
        if (!this.begun.has(id) && Date.now() - asked > 2000) {
          asked = Date.now();
          if (!this.ready) break;
          await watcher.publish(Topic.Order, this.agv, order).catch(() => {});
        }
      }
      if (outcome?.error) console.log(`${id}: ${outcome.error.errorType}: ${outcome.error.errorDescription}`);
      await sleep(0.1);
      if (this.state.orderId === id && this.state.lastNodeId === target && this.state.nodeStates.length === 0) {
        this.done.push(id);
        this.node = target;
        return;
      }
    }
    throw new Error(`${this.name}: job ${job} was not done: ${JSON.stringify(this.state)}`);
  }

  async work() {
    for (let job = 0; job < jobs.length; ++job) await this.drive(job);
  }
}

async function startBroker() {
  writeFileSync(place("mosquitto.conf"), `listener ${brokerPort} 127.0.0.1\nallow_anonymous true\npersistence false\n`);
  const broker = new Program("/usr/sbin/mosquitto", ["-c", place("mosquitto.conf")]);
  await broker.line(/running/);
  return broker;
}

function startTrucks(process, numbers, port) {
  const lines = numbers.map((number) => `  lift${number}: { type: raptorlift, device: virtual, vda5050: true, ` +
    `manufacturer: KIT, serial: "${String(number).padStart(4, "0")}", vda5050_version: "2.0.0", map_id: hall, ` +
    "visualization_interval: 0, step_ms: 5, feedback_timeout: 0.6, log_interval: 60 }");
  writeFileSync(place(`${process}.yaml`), `mqtt: { broker: "mqtt://127.0.0.1:${port}" }\nros: { enabled: false }\n` +
    `machines:\n${lines.join("\n")}\n`);
  const socket = place(`${process}.sock`);
  new Program(binary, ["run", place(`${process}.yaml`), "--web", "off", "--control", socket]);
  return numbers.map((number) => new Truck(number, socket));
}

async function disturb(trucks, cable) {
  const broker = await brokerStarted;
  const driving = (truck) => truck.plugged && truck.ready && truck.state.driving;
  // Two cables to PLCs, of trucks on their way.
  const pulled = [];
  for (let i = 0; i < 2; ++i) {
    const truck = await until("a truck that drives", () => trucks.find((one) => driving(one) && !pulled.includes(one)));
    pulled.push(truck);
    truck.plugged = false;
    console.log(await truck.tandem("unplug", truck.name));
  }
  await sleep(2);
  console.log("the broker is killed");
  await broker.end("SIGKILL");
  await sleep(3);
  await startBroker();
  console.log("the broker is back");
  for (const truck of pulled) {
    await truck.tandem("plug", truck.name);
    truck.plugged = true;
  }
  await sleep(3);
  console.log("the cable of one process to the broker is pulled");
  cable.pull();
  await sleep(3);
  cable.pulled = false;
}

let brokerStarted;

async function main() {
  brokerPort = await freePort();
  brokerStarted = startBroker();
  await brokerStarted;
  const options = { interfaceName: "uagv", transport: { brokerUrl: `mqtt://127.0.0.1:${brokerPort}` }, vdaVersion: "2.0.0" };
  const cable = new Cable();
  const trucks = [...startTrucks("east", [1, 2, 3, 4, 5], brokerPort), ...startTrucks("west", [6, 7, 8, 9, 10], await cable.open())];
  watcher = new MasterControlClient(options);
  await watcher.start();
  await watcher.subscribe(Topic.State, { manufacturer: "KIT" }, (state) =>
    trucks.find(({ agv }) => agv.serialNumber === state.serialNumber)?.take(state));
  master = new MasterController(options, {});
  await master.start();
  await until("a position of every truck", () => trucks.every((truck) => truck.state?.agvPosition));
  await Promise.all([...trucks.map((truck) => truck.work()), disturb(trucks, cable)]);

  for (const truck of trucks) {
    assert.equal(truck.done.length, jobs.length, truck.name);
    assert.equal(new Set(truck.done).size, jobs.length, truck.name);
    assert.ok(Math.abs(truck.at.x - jobs.at(-1)) < 0.2, `${truck.name}: ${JSON.stringify(truck.at)}`);
    assert.ok(Math.abs(truck.at.y - truck.lane) < 0.3, `${truck.name}: ${JSON.stringify(truck.at)}`);
  }
  // Nothing late comes and moves a truck: all stand, with the order that they ended last.
  const before = trucks.map((truck) => truck.at.x);
  await sleep(3);
  trucks.forEach((truck, i) => {
    assert.equal(truck.state.orderId, truck.done.at(-1));
    assert.deepEqual(truck.state.nodeStates, []);
    assert.ok(Math.abs(truck.at.x - before[i]) < 0.05, truck.name);
  });
  const again = trucks.reduce((sum, truck) => sum + truck.begun.size - truck.done.length, 0);
  console.log(`${trucks.length} trucks, ${jobs.length * trucks.length} jobs done once each; ${again} orders ended on the way`);
}

main().then(() => end(), end);
