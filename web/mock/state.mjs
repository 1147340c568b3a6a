// SPDX-License-Identifier: Apache-2.0
// The mock's machines over time: links that come and go, arm latches, a log, a clock that replays.
import { machines } from './machines.mjs';
import { cameraImage, latencyOf, statusOf } from './samples.mjs';

const topics = ['scene', 'picture', 'status', 'latency', 'log'].map((name, i) => ({
  id: i + 1, topic: `/tandem/${name}`, encoding: 'json', schemaName: `tandem.${name}`, schemaEncoding: 'jsonschema', schema: '{}',
}));
topics.push({ id: 6, topic: '/submarine/image', encoding: 'cdr', schemaName: 'sensor_msgs/msg/Image', schemaEncoding: 'ros2msg', schema: 'uint32 height' });

const frame = (subscription, seconds, payload) => {
  const head = Buffer.alloc(13);
  head[0] = 1;
  head.writeUInt32LE(subscription, 1);
  head.writeBigUInt64LE(BigInt(Math.round(seconds * 1e6)) * 1000n, 5);
  return Buffer.concat([head, payload]);
};

export class Mock {
  constructor(scenario) {
    this.scenario = scenario;
    this.clients = new Set();
    this.log = [];
    this.started = Date.now() / 1000;
    this.links = new Map(machines.map((m) => [m.name, { state: 'live', cause: '', since: this.started, arm: 'disarmed', arm_cause: '', at: 0 }]));
    this.parameters = new Map([
      ['/ads_em1500_node.cycle_hz', 100], ['/ads_em1500_node.frame', 'platform'], ['/forklift_node.max_speed', 0.8],
      ['/cable_robot_node.tension_limits', [10, 200]], ['/orca_node.camera', true],
    ]);
    this.replay = scenario === 'replay' ? { start: 1.79e9, end: 1.79e9 + 95, now: 1.79e9, speed: 1, playing: true } : null;
    this.note('', 'started', 'tandem started with five machines', false);
    this.setScene();
    this.tick = 0;
    setInterval(() => this.step(), 1000 / 60);
  }

  setScene() {
    const set = (name, by) => Object.assign(this.links.get(name), by);
    if (this.scenario === 'lost' || this.scenario === 'mixed') this.lose('forklift');
    if (this.scenario === 'stopped' || this.scenario === 'mixed') {
      set('platform', { arm: 'stopped', arm_cause: 'stop pressed on the page' });
      this.note('platform', 'stopped', 'stop pressed on the page', true);
    }
    if (this.scenario === 'mixed') set('submarine', { state: 'syncing', cause: 'no position for 1.8 s' });
    if (this.scenario === 'mixed' || this.scenario === 'busy') set('cable robot', { arm: 'armed' });
  }

  lose(name) {
    Object.assign(this.links.get(name), {
      state: 'connecting', cause: 'connection refused at 127.0.0.1:5020', since: Date.now() / 1000, arm: 'stopped', arm_cause: 'the link was lost',
    });
    this.note(name, 'lost', `${name}: connection refused at 127.0.0.1:5020`, true);
  }

  regain(name) {
    Object.assign(this.links.get(name), { state: 'live', cause: '', since: Date.now() / 1000 });
    this.note(name, 'live', `${name}: samples are live again; stopped until reset`, false);
  }

  note(machine, kind, text, bad) {
    const line = { t: Date.now() / 1000, machine, kind, text, bad };
    this.log = [...this.log.slice(-199), line];
    this.send('/tandem/log', line);
  }

  greet(socket) {
    const client = { socket, subscriptions: new Map(), channels: new Map() };
    this.clients.add(client);
    socket.on('close', () => this.clients.delete(client));
    socket.on('error', () => {});
    socket.on('message', (data, binary) => (binary ? this.take(client, data) : this.hear(client, JSON.parse(data.toString()))));
    const say = (message) => socket.send(JSON.stringify(message));
    const time = (s) => ({ sec: Math.floor(s), nsec: 0 });
    say({
      op: 'serverInfo', name: 'tandem', supportedEncodings: ['cdr', 'json'], sessionId: String(this.started),
      capabilities: ['clientPublish', 'parameters', 'parametersSubscribe', 'services', ...(this.replay ? ['time', 'playbackControl'] : [])],
      metadata: { ...(this.replay ? { incidents: JSON.stringify(this.incidents()) } : {}), tandem: '0.9.0-mock', control: this.scenario === 'readonly' || this.replay ? 'no' : 'yes', mode: this.replay ? 'replay' : 'live' },
      ...(this.replay ? { dataStartTime: time(this.replay.start), dataEndTime: time(this.replay.end) } : {}),
    });
    say({ op: 'advertise', channels: topics });
    say({ op: 'advertiseServices', services: [{ id: 1, name: '/tandem/command', type: 'tandem.command' }] });
  }

  hear(client, said) {
    if (said.op === 'subscribe') {
      for (const { id, channelId } of said.subscriptions) {
        const topic = topics.find((t) => t.id === channelId)?.topic;
        if (!topic) continue;
        client.subscriptions.set(topic, id);
        if (topic === '/tandem/scene') this.sendTo(client, topic, this.sceneMessage());
        if (topic === '/tandem/log') for (const line of this.log) this.sendTo(client, topic, line);
      }
    } else if (said.op === 'unsubscribe') {
      for (const [topic, id] of client.subscriptions) if (said.subscriptionIds.includes(id)) client.subscriptions.delete(topic);
    } else if (said.op === 'advertise') {
      for (const channel of said.channels) client.channels.set(channel.id, channel);
    } else if (said.op === 'getParameters') {
      const parameters = [...this.parameters].map(([name, value]) => ({ name, value, ...(typeof value === 'string' ? { readOnly: true } : {}) }));
      client.socket.send(JSON.stringify({ op: 'parameterValues', parameters, id: said.id }));
    } else if (said.op === 'setParameters') {
      this.setParameters(client, said);
    }
  }

  setParameters(client, said) {
    for (const { name, value } of said.parameters) {
      if (typeof value === typeof this.parameters.get(name)) this.parameters.set(name, value);
      else client.socket.send(JSON.stringify({ op: 'status', level: 2, message: `${name}: expected a ${typeof this.parameters.get(name)}, was given ${JSON.stringify(value)}` }));
    }
    const parameters = said.parameters.map(({ name }) => ({ name, value: this.parameters.get(name) }));
    client.socket.send(JSON.stringify({ op: 'parameterValues', parameters, id: said.id }));
  }

  take(client, data) {
    if (data[0] === 1) {
      const channel = client.channels.get(data.readUInt32LE(1));
      console.log('client message', channel?.topic, data.subarray(5).toString());
    } else if (data[0] === 2) {
      const length = data.readUInt32LE(9), request = JSON.parse(data.subarray(13 + length).toString());
      this.answer(client, data.readUInt32LE(1), data.readUInt32LE(5), request);
    } else if (data[0] === 3 && this.replay) {
      this.replay.playing = data[1] === 0;
      this.replay.speed = data.readFloatLE(2);
      if (data[6]) this.replay.now = Number(data.readBigUInt64LE(7)) / 1e9;
      this.tellPlayback(data[6]);
    }
  }

  answer(client, service, call, { what, machine, terms }) {
    if (this.scenario === 'readonly') {
      client.socket.send(JSON.stringify({ op: 'serviceCallFailure', serviceId: service, callId: call, message: 'this viewer may not control: open the page with a control token' }));
      return;
    }
    let ok = true, text = `${what}: done`;
    for (const [name, link] of this.links) {
      if (machine && machine !== name) continue;
      if (what === 'stop') Object.assign(link, { arm: 'stopped', arm_cause: 'stop pressed on the page' });
      if (what === 'reset') Object.assign(link, { arm: 'disarmed', arm_cause: '' });
      if (what === 'chaos' && terms === 'clear') Object.assign(link, { chaos: 'ready', chaos_result: `${name}: stayed armed, link stayed live` });
      else if (what === 'chaos') link.chaos = `${terms}, 9.6 s left`;
      if (what === 'unplug') Object.assign(link, { state: 'connecting', quality: 'stale', cause: 'no answer', unplugged: true });
      if (what === 'plug') Object.assign(link, { state: 'live', quality: 'live', cause: '', unplugged: false });
      if (what === 'arm' && link.arm === 'stopped') (ok = false), (text = `${name} is stopped: reset first`);
      else if (what === 'arm' && link.state !== 'live') (ok = false), (text = `${name} has no live link`);
      else if (what === 'arm') Object.assign(link, { arm: 'armed', arm_cause: '' });
    }
    this.note(machine, what, `${machine || 'all machines'}: ${text}`, !ok || what === 'stop');
    const payload = Buffer.from(JSON.stringify({ ok, text })), head = Buffer.alloc(17);
    head[0] = 3;
    head.writeUInt32LE(service, 1), head.writeUInt32LE(call, 5), head.writeUInt32LE(4, 9), head.write('json', 13);
    client.socket.send(Buffer.concat([head, payload]));
  }

  tellPlayback(seeked) {
    const { now, speed, playing, end } = this.replay, out = Buffer.alloc(19);
    out[0] = 5;
    out[1] = now >= end ? 3 : playing ? 0 : 1;
    out.writeBigUInt64LE(BigInt(Math.round(now * 1e6)) * 1000n, 2), out.writeFloatLE(speed, 10);
    out[14] = seeked ? 1 : 0;
    for (const client of this.clients) client.socket.send(out);
  }

  sendTo(client, topic, message, binary = false) {
    const id = client.subscriptions.get(topic);
    if (id === undefined || client.socket.bufferedAmount > 1e6) return;
    client.socket.send(frame(id, this.replay?.now ?? Date.now() / 1000, binary ? message : Buffer.from(JSON.stringify(message))));
  }

  send(topic, message, binary = false) {
    for (const client of this.clients) this.sendTo(client, topic, message, binary);
  }

  sceneMessage() {
    return { machines: machines.map(({ name, type, virtual, moves, scene }) => ({ name, type, virtual, moves, scene })) };
  }

  step() {
    const tick = ++this.tick, clock = Date.now() / 1000;
    if (this.replay?.playing) this.replay.now = Math.min(this.replay.now + this.replay.speed / 60, this.replay.end);
    const t = this.replay ? this.replay.now - this.replay.start : clock - this.started;
    const paused = this.replay && (!this.replay.playing || this.replay.now >= this.replay.end);
    if (!paused || tick % 30 === 0) this.send('/tandem/picture', { t: this.replay?.now ?? clock, machines: machines.map((m) => this.pictureOf(m, t)) });
    if (tick % 6 === 0) {
      const list = machines.map((m) => statusOf(m, this.links.get(m.name), clock));
      this.send('/tandem/status', {
        version: '0.9.0-mock', uptime: clock - this.started, ros: 'domain 0', control: 'page', machines: list, viewers: this.clients.size,
        incidents: this.incidents(),
        recording: { file: 'run-0412.mcap', messages: tick * 40, bytes: tick * 9000, dropped: 0, trouble: '' },
      });
    }
    if (tick % 60 === 0) this.send('/tandem/latency', { machines: machines.map(latencyOf) });
    if (tick % 6 === 0) this.send('/submarine/image', cameraImage(t), true);
    if (this.scenario === 'busy' && tick % 900 === 450) this.lose('forklift');
    if (this.scenario === 'busy' && tick % 900 === 840) this.regain('forklift');
    if (this.replay && tick % 30 === 0) this.tellPlayback(0);
  }

  // One, half a minute after the replay's beginning or before now.
  incidents() {
    const at = this.replay ? this.replay.start + 30 : this.started - 8;
    return [{ file: '/incidents/forklift_lost.mcap', machine: 'forklift', cause: 'lost', text: 'no live sample for 104 ms; disarmed', at }];
  }

  pictureOf(machine, t) {
    const link = this.links.get(machine.name);
    // A machine without a link stands where it was seen last; its twin goes on.
    if (link.state === 'live') link.at = t;
    const real = machine.pose(link.at), twin = machine.pose(t - machine.off * 4);
    const seen = link.state === 'live' || link.state === 'syncing';
    return { name: machine.name, seen, frames: seen ? real.frames : [], scalars: real.scalars, twin: twin.frames, twin_scalars: twin.scalars };
  }
}
