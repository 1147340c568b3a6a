// SPDX-License-Identifier: Apache-2.0
// npm @foxglove/rtps, a DDS in TypeScript, subscribes to our node: foxglove_rtps.mjs TALKER localhost|subnet
// Runs inside `in_namespace`, where the loopback interface has multicast.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Participant, Durability, Reliability, HistoryKind } = require("@foxglove/rtps");
const { UdpSocketNode } = require("@foxglove/rtps/nodejs");

const [talker, range] = process.argv.slice(2);
const domain = 3;
const legs = [0.1, -0.2, 0.3, -0.4, 0.5, 1e-300];

const child = spawn(talker, [range, String(domain)], { stdio: ["pipe", "inherit", "inherit"] });
const participant = new Participant({
  name: "foxglove",
  addresses: ["127.0.0.1"],
  domainId: domain,
  udpSocketCreate: async () => await UdpSocketNode.Create(),
});

let finished = false;
function finish(code, text) {
  if (finished) return;
  finished = true;
  console.log(text);
  child.stdin.end();
  child.once("exit", () => process.exit(code));
  setTimeout(() => process.exit(code || 1), 5000);
}
child.once("error", (error) => finish(1, `cannot start ${talker}: ${error.message}`));
setTimeout(() => finish(1, `not complete after 30 s: no ${expected_notes.filter((key) => !heard.has(key))}`), 30000);

function float64_array(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint16(0) !== 1) throw new Error("not little-endian plain CDR");
  // No dimensions, data_offset, a count, then doubles aligned to 8 behind the header.
  const count = view.getUint32(12, true);
  return Array.from({ length: count }, (_, i) => view.getFloat64(4 + 16 + 8 * i, true));
}

// Names and endpoint counts of the nodes in a graph message. This peer gives no type hash, so it is spoken to as Humble
// is: ids of 24 bytes.
function graph_nodes(data) {
  const view = new DataView(data.buffer, data.byteOffset + 4, data.byteLength - 4);
  let at = 24;
  const number = () => {
    at = (at + 3) & ~3;
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const text = () => {
    const size = number();
    at += size;
    return new TextDecoder().decode(data.subarray(4 + at - size, 4 + at - 1));
  };
  const gids = () => {
    const count = number();
    at += 24 * count;
    return count;
  };
  return Array.from({ length: number() }, () => ({
    space: text(),
    name: text(),
    readers: gids(),
    writers: gids(),
  }));
}

// What a node of ours with a service, an action and parameters has on DDS.
const publications = new Map([
  ["rr/tandem/get_parametersReply", "rcl_interfaces::srv::dds_::GetParameters_Response_"],
  ["rr/tandem/set_parametersReply", "rcl_interfaces::srv::dds_::SetParameters_Response_"],
  ["rt/parameter_events", "rcl_interfaces::msg::dds_::ParameterEvent_"],
  ["rt/rosout", "rcl_interfaces::msg::dds_::Log_"],
  ["rr/gripper_cmd/_action/send_goalReply", "control_msgs::action::dds_::GripperCommand_SendGoal_Response_"],
  ["rr/gripper_cmd/_action/get_resultReply", "control_msgs::action::dds_::GripperCommand_GetResult_Response_"],
  ["rr/gripper_cmd/_action/cancel_goalReply", "action_msgs::srv::dds_::CancelGoal_Response_"],
  ["rt/gripper_cmd/_action/feedback", "control_msgs::action::dds_::GripperCommand_FeedbackMessage_"],
  ["rt/gripper_cmd/_action/status", "action_msgs::msg::dds_::GoalStatusArray_"],
]);
const subscriptions = new Map([
  ["rq/tandem/get_parametersRequest", "rcl_interfaces::srv::dds_::GetParameters_Request_"],
  ["rq/gripper_cmd/_action/send_goalRequest", "control_msgs::action::dds_::GripperCommand_SendGoal_Request_"],
]);

const expected_notes = ["participant", "description", "legs", "graph", ...publications.keys(), ...subscriptions.keys()];
const heard = new Map();
function note(what) {
  heard.set(what, true);
  if (expected_notes.every((key) => heard.has(key))) {
    finish(0, `@foxglove/rtps heard our node over ${range}`);
  }
}
function note_endpoint(endpoint, known) {
  if (known.get(endpoint.topicName) !== endpoint.typeName) return;
  const service = /^r[qr]\//.test(endpoint.topicName);
  const mark = service ? /^serviceid=[0-9a-f.]+;typehash=RIHS01_[0-9a-f]{64};$/ : /^typehash=RIHS01_[0-9a-f]{64};$/;
  if (!mark.test(endpoint.userData ?? "")) return finish(1, `${endpoint.topicName}: USER_DATA ${endpoint.userData}`);
  note(endpoint.topicName);
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
  note_endpoint(endpoint, publications);
});
participant.on("discoveredSubscription", (endpoint) => note_endpoint(endpoint, subscriptions));
participant.on("userData", ({ publication, serializedData }) => {
  if (publication.topicName === "ros_discovery_info") {
    const node = graph_nodes(serializedData).find(({ space, name }) => space === "/" && name === "tandem");
    if (node && node.readers >= 10 && node.writers >= 14) note("graph");
    return;
  }
  const numbers = float64_array(serializedData);
  if (JSON.stringify(numbers) !== JSON.stringify(legs)) return finish(1, `legs: ${numbers}`);
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
participant.subscribe({
  topicName: "ros_discovery_info",
  typeName: "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
  durability: Durability.Volatile,
  reliability: { kind: Reliability.Reliable, maxBlockingTime: { sec: 1, nsec: 0 } },
  history: { kind: HistoryKind.KeepLast, depth: 10 },
});
