// SPDX-License-Identifier: Apache-2.0
// The npm package node-mavlink flies the virtual Orca: node fly_orca.mjs VEHICLE, where VEHICLE prints "listening PORT".
// Vision is made of SIMSTATE, which is the truth, so that the estimator has something to hold on to.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import nodeMavlink from 'node-mavlink';

const { MavLinkProtocolV2, createMavLinkStream, minimal, standard, common, ardupilotmega } = nodeMavlink;
const registry = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY, ...ardupilotmega.REGISTRY };
const filled = (type, fields) => Object.assign(new type(), fields);

const ours = spawn(process.argv[2], [], { stdio: ['pipe', 'pipe', 'inherit'] });
function fail(error) {
  console.error(error);
  ours.kill();
  process.exit(1);
}
const deadline = setTimeout(() => fail(new Error('not done after 150 s')), 150000);
process.on('unhandledRejection', fail);

const port = await new Promise((resolve, reject) => {
  createInterface({ input: ours.stdout }).once('line', (line) => resolve(Number(line.split(' ')[1])));
  ours.once('exit', (status) => reject(new Error(`the vehicle ended with ${status}`)));
});
const socket = connect({ port, host: '127.0.0.1' });
await new Promise((resolve) => socket.once('connect', resolve));

const protocol = new MavLinkProtocolV2(255, 190);
let sequence = 0;
const send = (message) => socket.write(protocol.serialize(message, sequence++ & 255));
let waiting = [];
const texts = [];
let truth = null;
let local = null;
createMavLinkStream(socket).on('data', (packet) => {
  const type = registry[packet.header.msgid];
  if (!type) return;
  const message = packet.protocol.data(packet.payload, type);
  if (message instanceof common.StatusText) texts.push(message.text);
  if (message instanceof ardupilotmega.SimState) truth = message;
  if (message instanceof common.LocalPositionNed) local = message;
  const found = waiting.filter((one) => message instanceof one.type && one.likes(message));
  waiting = waiting.filter((one) => !found.includes(one));
  for (const one of found) one.resolve(message);
});
const wait = (type, likes = () => true) => new Promise((resolve) => waiting.push({ type, likes, resolve }));
const ask = (message, type, likes) => {
  const answer = wait(type, likes);
  send(message);
  return answer;
};
const command = (number, param1 = 0, param2 = 0) => {
  const message = filled(common.CommandLong, { command: number, targetSystem: 1, targetComponent: 1 });
  message._param1 = param1;
  message._param2 = param2;
  return ask(message, common.CommandAck, (ack) => ack.command === number);
};
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const heart = setInterval(() => send(filled(minimal.Heartbeat, { type: 6, autopilot: 8, systemStatus: 4 })), 500);
const first = await wait(minimal.Heartbeat);
assert.equal(first.type, 12);
assert.equal(first.customMode, 19);

// Streams, parameters, and refusals with their reasons.
assert.equal((await command(511, 32, 50000)).result, 0);
assert.equal((await command(511, 164, 50000)).result, 0);
assert.equal((await command(60001)).result, 3);
const speed = await ask(filled(common.ParamSet, { targetSystem: 1, targetComponent: 1, paramId: 'WPNAV_SPEED', paramValue: 50, paramType: 9 }),
  common.ParamValue, (value) => value.paramId === 'WPNAV_SPEED');
assert.equal(speed.paramValue, 50);
await wait(ardupilotmega.EkfStatusReport, (report) => (report.flags & 1) !== 0); // it knows its attitude
assert.equal((await command(176, 1, 16)).result, 4);
assert.ok(texts.some((text) => text.includes('requires position')), texts.join('; '));

// Origin and vision, until the estimator trusts it.
const origin = { latitude: 476302000, longitude: -1223982391, altitude: 0 };
const echo = await ask(filled(common.SetGpsGlobalOrigin, { targetSystem: 1, ...origin }), common.GpsGlobalOrigin);
assert.equal(echo.latitude, origin.latitude);
const metres = 0.011131884502145034;
const placed = () => [(truth.lat - origin.latitude) * metres,
  (truth.lng - origin.longitude) * metres * Math.cos((origin.latitude * 1e-7 * Math.PI) / 180)];
const vision = setInterval(() => {
  if (!truth) return;
  const [x, y] = placed();
  send(filled(common.VisionPositionEstimate, { usec: 0n, x, y, z: 0, roll: 0, pitch: 0, yaw: truth.yaw }));
}, 100);
await wait(common.LocalPositionNed);

// Armed and guided two metres to the north, with the truth as judge.
assert.equal((await command(176, 1, 4)).result, 0);
assert.equal((await command(400, 1)).result, 0);
await wait(minimal.Heartbeat, (one) => (one.baseMode & 128) !== 0 && one.customMode === 4);
send(filled(common.SetPositionTargetLocalNed, { targetSystem: 1, targetComponent: 1, coordinateFrame: 1, typeMask: 0x0df8, x: 2, y: 0, z: 1.5 }));
for (let i = 0; i < 900; ++i) {
  await sleep(100);
  if (Math.hypot(local.x - 2, local.y, local.z - 1.5) < 0.25) break;
}
assert.ok(Math.hypot(local.x - 2, local.y, local.z - 1.5) < 0.3, `at ${local.x} ${local.y} ${local.z}`);
assert.ok(Math.hypot(placed()[0] - 2, placed()[1]) < 0.6, `really at ${placed()}`);

// Disarmed, all thrusters stand.
assert.equal((await command(400, 0)).result, 0);
const servos = wait(common.ServoOutputRaw);
assert.equal((await command(512, 36)).result, 0);
assert.deepEqual([(await servos).servo1Raw, (await servos).servo5Raw], [1500, 1500]);

clearInterval(heart);
clearInterval(vision);
clearTimeout(deadline);
socket.destroy();
ours.stdin.end();
console.log('flown');
