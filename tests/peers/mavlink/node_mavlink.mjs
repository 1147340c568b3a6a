// SPDX-License-Identifier: Apache-2.0
// The npm package node-mavlink at both ends: node node_mavlink.mjs VEHICLE STATION, where VEHICLE prints "listening
// PORT" and STATION takes a port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, connect } from 'node:net';
import { createInterface } from 'node:readline';
import nodeMavlink from 'node-mavlink';

const { MavLinkProtocolV1, MavLinkProtocolV2, createMavLinkStream, minimal, standard, common, ardupilotmega } = nodeMavlink;
const registry = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY, ...ardupilotmega.REGISTRY };

const started = [];
const deadline = setTimeout(() => fail(new Error('not done after 200 s')), 200000);
function fail(error) {
  console.error(error);
  for (const process_ of started) process_.kill();
  process.exit(1);
}

const filled = (type, fields) => Object.assign(new type(), fields);

// One end on a socket: sends messages, waits for packets that a test likes.
class End {
  constructor(socket, protocol, sign = (frame) => frame) {
    Object.assign(this, { socket, protocol, sign, sequence: 0, waiting: [], heard: [], handlers: [] });
    createMavLinkStream(socket).on('data', (packet) => this.take(packet));
  }
  send(message) {
    this.socket.write(this.sign(this.protocol.serialize(message, this.sequence++ & 255)));
  }
  take(packet) {
    const type = registry[packet.header.msgid];
    const message = type ? packet.protocol.data(packet.payload, type) : null;
    for (const handler of this.handlers) handler(message, packet, type);
    const found = this.waiting.filter((one) => message instanceof one.type && one.likes(message));
    this.waiting = this.waiting.filter((one) => !found.includes(one));
    for (const one of found) one.resolve({ message, packet });
  }
  wait(type, likes = () => true) {
    return new Promise((resolve) => this.waiting.push({ type, likes, resolve }));
  }
  async ask(message, type, likes) {
    const answer = this.wait(type, likes);
    this.send(message);
    return (await answer).message;
  }
  command(command, param1 = 0) {
    const message = filled(common.CommandLong, { command, targetSystem: 1, targetComponent: 1 });
    message._param1 = param1;
    return this.ask(message, common.CommandAck, (ack) => ack.command === command);
  }
}

async function launched(...extra) {
  const ours = spawn(process.argv[2], extra, { stdio: ['pipe', 'pipe', 'inherit'] });
  started.push(ours);
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: ours.stdout }).once('line', (line) => resolve(Number(line.split(' ')[1])));
    ours.once('exit', (status) => reject(new Error(`the vehicle ended with ${status}`)));
  });
  const socket = connect({ port, host: '127.0.0.1' });
  await new Promise((resolve) => socket.once('connect', resolve));
  return { ours, socket };
}

async function theirStation() {
  const { ours, socket } = await launched();
  const end = new End(socket, new MavLinkProtocolV2(255, 190));
  const first = await end.wait(minimal.Heartbeat);
  assert.equal(first.message.type, 12);
  assert.equal(first.packet.header.sysid, 1);
  assert.equal((await end.command(400, 1)).result, 0);
  assert.equal((await end.wait(minimal.Heartbeat, (one) => one.baseMode === 128)).message.autopilot, 3);
  assert.equal((await end.command(30999)).result, 3);

  // One of every message, read and made again by them.
  let returned = 0;
  const back = (message, packet, type) => {
    if (!message || message.command === 31000) return;
    end.send(filled(type, message));
    returned += 1;
  };
  end.handlers.push(back);
  assert.equal((await end.command(31000)).result, 0);
  end.handlers.pop();
  assert.ok(returned >= 80, `${returned} messages`);
  assert.equal((await end.command(31001)).result, 0);

  const text = [];
  end.handlers.push((message) => { if (message instanceof common.StatusText && message.id === 5) text[message.chunkSeq] = message.text; });
  assert.equal((await end.command(31002)).result, 0);
  assert.equal(text.join(''), `${'x'.repeat(60)} and the end`);

  const value = await end.ask(filled(common.ParamRequestRead, { targetSystem: 1, targetComponent: 1, paramId: 'SIXTEEN_LETTERS_', paramIndex: -1 }),
    common.ParamValue);
  assert.equal(value.paramId, 'SIXTEEN_LETTERS_');
  assert.equal(value.paramValue, 0.25);
  const set = await end.ask(filled(common.ParamSet, { targetSystem: 1, targetComponent: 1, paramId: 'VISO_TYPE', paramValue: 3, paramType: 2 }),
    common.ParamValue);
  assert.deepEqual([set.paramId, set.paramValue, set.paramCount], ['VISO_TYPE', 3, 2]);

  const time = await end.ask(filled(common.TimeSync, { tc1: 0n, ts1: 123n }), common.TimeSync);
  assert.ok(time.ts1 === 123n && time.tc1 > 0n);

  let request = await end.ask(filled(common.MissionCount, { targetSystem: 1, targetComponent: 1, count: 3 }), common.MissionRequestInt);
  for (let seq = 0; seq < 3; ++seq) {
    assert.equal(request.seq, seq);
    const item = filled(common.MissionItemInt, { targetSystem: 1, targetComponent: 1, seq, frame: 6, command: 16, x: 100 * seq, y: -5, z: -1.5 });
    if (seq === 2) assert.equal((await end.ask(item, common.MissionAck)).type, 0);
    else request = await end.ask(item, common.MissionRequestInt);
  }
  const item = await end.ask(filled(common.MissionRequestInt, { targetSystem: 1, targetComponent: 1, seq: 2 }), common.MissionItemInt);
  assert.deepEqual([item.x, item.y, item.z, item.command], [200, -5, -1.5, 16]);

  // In version 1, and then the answers too.
  end.protocol = new MavLinkProtocolV1(255, 190);
  const answer = end.wait(common.CommandAck);
  const message = filled(common.CommandLong, { command: 400, targetSystem: 1, targetComponent: 1 });
  end.send(message);
  assert.ok((await answer).packet.protocol instanceof MavLinkProtocolV1);
  socket.destroy();
  ours.stdin.end();
}

async function theirSignedStation() {
  const { ours, socket } = await launched('signed');
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
  const protocol = new MavLinkProtocolV2(255, 190, MavLinkProtocolV2.IFLAG_SIGNED);
  let stamp = Date.now();
  const end = new End(socket, protocol, (frame) => protocol.sign(frame, 9, key, stamp++));
  const first = await end.wait(minimal.Heartbeat);
  assert.equal(first.packet.signature.linkId, 4);
  assert.ok(first.packet.signature.matches(key));
  // Not signed: nobody answers. Signed: somebody does.
  const unsigned = new MavLinkProtocolV2(255, 190);
  let answers = 0;
  end.handlers.push((message) => { if (message instanceof common.CommandAck) answers += 1; });
  socket.write(unsigned.serialize(filled(common.CommandLong, { command: 400, targetSystem: 1, targetComponent: 1 }), 0));
  assert.equal((await end.command(31002)).result, 0);
  assert.equal(answers, 1);
  socket.destroy();
  ours.stdin.end();
}

// A vehicle of theirs that loses what it can.
function theirVehicle() {
  const values = Array.from({ length: 12 }, (_, i) => 0.5 * i);
  let armed = false;
  const mission = [];
  let count = 0;
  const answers = (end, lost) => (message) => {
    const send = (type, fields) => end.send(filled(type, fields));
    const value = (i) => send(common.ParamValue, { paramId: `P${i}`, paramValue: values[i], paramType: 9, paramCount: 12, paramIndex: i });
    if (message instanceof common.CommandLong) {
      if (message.confirmation === 0) return;
      armed = message._param1 === 1;
      send(common.CommandAck, { command: message.command, result: 0 });
    } else if (message instanceof common.ParamRequestList) {
      values.forEach((_, i) => { if (i % 3 !== 1) value(i); });
    } else if (message instanceof common.ParamRequestRead) {
      value(message.paramIndex);
    } else if (message instanceof common.ParamSet) {
      const i = Number(message.paramId.slice(1));
      values[i] = message.paramValue;
      value(i);
    } else if (message instanceof common.MissionCount) {
      count = message.count;
      mission.length = 0;
      if (!lost.request) send(common.MissionRequestInt, { targetSystem: 255, targetComponent: 190, seq: 0 });
      lost.request = false;
    } else if (message instanceof common.MissionItemInt) {
      mission[message.seq] = message;
      if (mission.length < count) send(common.MissionRequestInt, { targetSystem: 255, targetComponent: 190, seq: mission.length });
      else send(common.MissionAck, { targetSystem: 255, targetComponent: 190, type: 0 });
    } else if (message instanceof common.MissionRequestList) {
      send(common.MissionCount, { targetSystem: 255, targetComponent: 190, count: mission.length });
    } else if (message instanceof common.MissionRequestInt) {
      if (lost.item !== message.seq) send(common.MissionItemInt, { ...mission[message.seq], targetSystem: 255, targetComponent: 190 });
      else lost.item = -1;
    } else if (message instanceof common.TimeSync && message.tc1 === 0n) {
      send(common.TimeSync, { tc1: process.hrtime.bigint(), ts1: message.ts1 });
    }
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const end = new End(socket, new MavLinkProtocolV2(1, 1));
    end.handlers.push(answers(end, { request: true, item: 1 }));
    const beat = setInterval(() => end.send(filled(minimal.Heartbeat, { type: 12, autopilot: 3, baseMode: armed ? 128 : 0, systemStatus: 4, mavlinkVersion: 3 })), 200);
    socket.on('close', () => clearInterval(beat));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

try {
  await theirStation();
  await theirSignedStation();
  const server = await theirVehicle();
  const station = spawn(process.argv[3], [String(server.address().port)], { stdio: ['ignore', 'inherit', 'inherit'] });
  started.push(station);
  assert.equal(await new Promise((resolve) => station.once('exit', resolve)), 0);
  server.close();
  clearTimeout(deadline);
  console.log('node-mavlink is content');
  process.exit(0);
} catch (error) {
  fail(error);
}
