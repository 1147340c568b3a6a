// npm @foxglove/rtps, a DDS in TypeScript, subscribes to our node: foxglove_rtps.mjs TALKER localhost|subnet
// Runs inside `in_namespace`, where the loopback interface has multicast.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Participant, Durability, Reliability, HistoryKind } = require("@foxglove/rtps");
const { UdpSocketNode } = require("@foxglove/rtps/nodejs");

const [talker, range] = process.argv.slice(2);
const domain = 3;
const expected = [0.1, -0.2, 0.3, -0.4, 0.5, 1e-300];

const child = spawn(talker, [range, String(domain)], { stdio: ["pipe", "inherit", "inherit"] });
const participant = new Participant({
  name: "foxglove",
  addresses: ["127.0.0.1"],
  domainId: domain,
  udpSocketCreate: async () => await UdpSocketNode.Create(),
});

function finish(code, text) {
  console.log(text);
  child.stdin.end();
  child.once("exit", () => process.exit(code));
  setTimeout(() => process.exit(code || 1), 5000);
}
child.once("error", (error) => finish(1, `cannot start ${talker}: ${error.message}`));
setTimeout(() => finish(1, `not complete after 30 s: ${JSON.stringify([...heard.keys()])}`), 30000);

function float64_array(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint16(0) !== 1) throw new Error("not little-endian plain CDR");
  // No dimensions, data_offset, a count, then doubles aligned to 8 behind the header.
  const count = view.getUint32(12, true);
  return Array.from({ length: count }, (_, i) => view.getFloat64(4 + 16 + 8 * i, true));
}

const heard = new Map();
function note(what) {
  heard.set(what, true);
  if (["participant", "description", "legs"].every((key) => heard.has(key))) {
    finish(0, `@foxglove/rtps heard our node over ${range}`);
  }
}

participant.on("error", (error) => finish(1, `participant: ${error.message}`));
participant.on("discoveredParticipant", (attributes) => {
  if (attributes.userData === "enclave=/;") note("participant");
});
// Seen, not heard: this peer sends the acknowledgements of its readers to the port of discovery, where Fast DDS takes
// none for topics, so it never gets what is latched.
participant.on("discoveredPublication", (endpoint) => {
  if (
    endpoint.topicName === "rt/robot_description" &&
    endpoint.typeName === "std_msgs::msg::dds_::String_" &&
    endpoint.durability === Durability.TransientLocal &&
    endpoint.userData?.startsWith("typehash=RIHS01_df668c740482bbd4")
  ) {
    note("description");
  }
});
participant.on("userData", ({ serializedData }) => {
  const numbers = float64_array(serializedData);
  if (JSON.stringify(numbers) !== JSON.stringify(expected)) return finish(1, `legs: ${numbers}`);
  note("legs");
});

await participant.start();
participant.subscribe({
  topicName: "rt/stewart/legs_em1500",
  typeName: "std_msgs::msg::dds_::Float64MultiArray_",
  durability: Durability.Volatile,
  reliability: { kind: Reliability.Reliable, maxBlockingTime: { sec: 1, nsec: 0 } },
  history: { kind: HistoryKind.KeepLast, depth: 10 },
});
