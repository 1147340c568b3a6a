// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageFromCdr, packedImageFromCdr, rgbaFrom } from '../src/cdr';
import { frameFrom, playbackControl, serviceCall } from '../src/frames';
import { Cell } from '../src/cell';
import { Ear, openLink, socketUrl } from '../src/link';
import { backoff, Client, type Events, type Socket } from '../src/protocol';
import { createStore, type Status } from '../src/store';
import { forgetToken, takeToken } from '../src/token';

class FakeSocket implements Socket {
  binaryType = '';
  bufferedAmount = 0;
  onopen: Socket['onopen'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  onmessage: Socket['onmessage'] = null;
  sent: (string | ArrayBuffer)[] = [];
  send(data: string | ArrayBuffer): void {
    this.sent.push(data);
  }
  close(): void {
    this.onclose?.({ code: 1000, reason: '' });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  heard(): any[] {
    return this.sent.filter((data): data is string => typeof data === 'string').map((data) => JSON.parse(data));
  }
}

function started(more: Partial<Events> = {}) {
  const sockets: FakeSocket[] = [];
  const quiet = () => {};
  const events: Events = { open: quiet, lost: quiet, trying: quiet, channels: quiet, status: quiet, parameters: quiet, playback: quiet, time: quiet, ...more };
  const client = new Client('ws://test/', events, () => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  });
  client.connect();
  return { client, sockets };
}

const hello = { op: 'serverInfo', name: 'tandem', capabilities: ['clientPublish', 'services'] };
const channel = { id: 5, topic: '/a', encoding: 'json', schemaName: 'x' };

function message(subscription: number, payload: number[]): ArrayBuffer {
  const bytes = new Uint8Array(13 + payload.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setUint32(1, subscription, true);
  view.setBigUint64(5, 42n, true);
  bytes.set(payload, 13);
  return bytes.buffer;
}

test('a topic wanted before it is there is subscribed when it comes', () => {
  const { client, sockets } = started();
  const got: number[][] = [];
  client.subscribe('/a', (payload) => got.push([...payload]));
  sockets[0].say(hello);
  assert.deepEqual(sockets[0].heard(), []);
  sockets[0].say({ op: 'advertise', channels: [channel] });
  const [asked] = sockets[0].heard();
  assert.equal(asked.op, 'subscribe');
  assert.equal(asked.subscriptions[0].channelId, 5);
  sockets[0].onmessage?.({ data: message(asked.subscriptions[0].id, [7, 8]) });
  assert.deepEqual(got, [[7, 8]]);
  client.close();
});

test('two receivers share one subscription that ends with the last', () => {
  const { client, sockets } = started();
  sockets[0].say(hello);
  sockets[0].say({ op: 'advertise', channels: [channel] });
  const first = client.subscribe('/a', () => {});
  const second = client.subscribe('/a', () => {});
  assert.equal(sockets[0].heard().length, 1);
  first();
  assert.equal(sockets[0].heard().length, 1);
  second();
  assert.equal(sockets[0].heard()[1].op, 'unsubscribe');
  client.close();
});

test('opening a page sends nothing but what it needs to look', () => {
  const { client, sockets } = started();
  client.subscribe('/a', () => {});
  sockets[0].say(hello);
  sockets[0].say({ op: 'advertise', channels: [channel] });
  assert.ok(sockets[0].heard().every((said) => said.op === 'subscribe'));
  assert.equal(sockets[0].sent.length, 1);
  client.close();
});

test('a lost connection comes back and subscribes again', async () => {
  const lost: string[] = [];
  const { client, sockets } = started({ lost: (why) => lost.push(why) });
  client.subscribe('/a', () => {});
  sockets[0].say(hello);
  sockets[0].onclose?.({ code: 1006, reason: '' });
  assert.equal(lost.length, 1);
  assert.equal(client.publish('/b', 't', {}), false);
  client.hurry();
  assert.equal(sockets.length, 2);
  sockets[1].say(hello);
  sockets[1].say({ op: 'advertise', channels: [channel] });
  assert.equal(sockets[1].heard()[0].op, 'subscribe');
  client.close();
});

test('a refusal is told in the words of the program and tried again slowly', () => {
  const lost: unknown[][] = [];
  const { client, sockets } = started({ lost: (...told) => lost.push(told) });
  sockets[0].onclose?.({ code: 1008, reason: 'The token is wrong.' });
  assert.deepEqual(lost, [['The token is wrong.', 1, 30000, true]]);
  client.hurry();
  sockets[1].say(hello);
  sockets[1].onclose?.({ code: 1008, reason: 'more than 500 messages a second' }); // it was let in
  assert.equal(lost[1][3], false);
  client.close();
});

test('a call ends with its answer, its refusal or the loss of the connection', async () => {
  const { client, sockets } = started();
  sockets[0].say(hello);
  await assert.rejects(client.call('/s', {}), /offers no service/);
  sockets[0].say({ op: 'advertiseServices', services: [{ id: 3, name: '/s' }] });
  const calls = [client.call('/s', { a: 1 }), client.call('/s', {}), client.call('/s', {})];
  const ids = sockets[0].sent.map((data) => new DataView(data as ArrayBuffer).getUint32(5, true));
  const answer = new Uint8Array(serviceCall(3, ids[0], 'json', new Uint8Array([123, 125])));
  answer[0] = 3;
  sockets[0].onmessage?.({ data: answer.buffer });
  sockets[0].say({ op: 'serviceCallFailure', serviceId: 3, callId: ids[1], message: 'may not' });
  const ends = Promise.allSettled(calls);
  sockets[0].onclose?.({ code: 1006, reason: '' });
  const [good, refused, gone] = await ends;
  assert.deepEqual(good.status === 'fulfilled' && [...good.value], [123, 125]);
  assert.match(String(refused.status === 'rejected' && refused.reason), /may not/);
  assert.match(String(gone.status === 'rejected' && gone.reason), /connection closed/);
  client.close();
});

test('a client topic is advertised once', () => {
  const { client, sockets } = started();
  sockets[0].say(hello);
  assert.equal(client.publish('/cmd', 'T', { x: 1 }), true);
  client.publish('/cmd', 'T', { x: 2 });
  assert.equal(sockets[0].heard().length, 1);
  assert.equal(sockets[0].heard()[0].channels[0].topic, '/cmd');
  const bytes = new Uint8Array(sockets[0].sent[2] as ArrayBuffer);
  assert.equal(bytes[0], 1);
  assert.equal(new TextDecoder().decode(bytes.subarray(5)), '{"x":2}');
  client.close();
});

test('a program that says nothing more is given up', () => {
  const lost: string[] = [];
  const { client, sockets } = started({ lost: (why) => lost.push(why) });
  sockets[0].say(hello);
  for (let i = 0; i < 4; ++i) client.tick(4);
  assert.equal(lost.length, 0);
  sockets[0].say({ op: 'status', level: 0, message: '' });
  for (let i = 0; i < 5; ++i) client.tick(4);
  assert.equal(lost.length, 1);
  client.close();
});

test('waits grow to five seconds and no further', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 99].map(backoff), [250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test('any bytes are a frame or none', () => {
  let seed = 3;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 3000; ++round) {
    const bytes = Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
    if (bytes.length > 0 && round % 2) bytes[0] = round % 7;
    frameFrom(bytes.buffer);
    imageFromCdr(bytes);
    packedImageFromCdr(bytes);
  }
});

test('playback control has the layout of the protocol', () => {
  const bytes = new DataView(playbackControl(true, 2, 5_000_000_000n, 'ab'));
  assert.equal(bytes.byteLength, 21);
  assert.equal(bytes.getUint8(0), 3);
  assert.equal(bytes.getUint8(1), 0);
  assert.equal(bytes.getFloat32(2, true), 2);
  assert.equal(bytes.getUint8(6), 1);
  assert.equal(bytes.getBigUint64(7, true), 5_000_000_000n);
  assert.equal(bytes.getUint32(15, true), 2);
});

// Written by hand from the CDR rules: stamp 1 s 2 ns, frame "cam", 1 row of 2 pixels, bgr8, step 8.
const image = Uint8Array.from([
  0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 99, 97, 109, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 98, 103, 114, 56,
  0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0,
]);

test('an image is read from CDR and turned to what a canvas wants', () => {
  const read = imageFromCdr(image);
  assert.ok(read);
  assert.deepEqual([read.width, read.height, read.encoding, read.step], [2, 1, 'bgr8', 8]);
  assert.deepEqual([...rgbaFrom(read)], [3, 2, 1, 255, 6, 5, 4, 255]);
});

test('an image cut anywhere is no image', () => {
  for (let length = 0; length < image.length; ++length) assert.equal(imageFromCdr(image.subarray(0, length)), null);
});

test('a listener that fails silences no other', async () => {
  const cell = new Cell(0);
  const heard: number[] = [];
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  cell.on(() => {
    throw new Error('this one cannot draw');
  });
  cell.on((value) => heard.push(value));
  cell.set(1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.removeAllListeners('uncaughtException');
  for (const other of others) process.on('uncaughtException', other);
  assert.deepEqual(heard, [1]);
  assert.match(String(failures), /cannot draw/);
});

test('a token is taken out of the address and goes with the socket', () => {
  const location = { href: 'http://lift:8088/?token=a%26b+c&x=1#machine=arm' };
  const history = { state: null, replaceState: (_: unknown, __: string, to?: string | URL | null) => void (location.href = String(to)) };
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const tab = { location, history, sessionStorage };
  assert.equal(takeToken(tab), 'a%26b+c');
  assert.equal(location.href, 'http://lift:8088/?x=1#machine=arm');
  assert.equal(takeToken(tab), 'a%26b+c', 'a reload of the tab keeps it');
  forgetToken(tab);
  assert.equal(takeToken(tab), '');
  const none = (): never => {
    throw new Error('no storage here');
  };
  assert.equal(takeToken({ location: { href: 'http://lift/?token=x' }, history, sessionStorage: { getItem: none, setItem: none, removeItem: none } }), 'x');
  location.href = 'http://lift:8088/?x=1#machine=arm';
  assert.equal(socketUrl({ href: 'https://lift:8088/?x=1#machine=arm' }, 'a%26b+c'), 'wss://lift:8088/?token=a%26b+c');
  assert.equal(socketUrl(location, ''), 'ws://lift:8088/');
});

test('a silence is told once, after four ticks without a status, and its end as well', () => {
  const ear = new Ear();
  for (let i = 0; i < 20; ++i) assert.ok(!ear.tick(), 'before the first status there is nothing to miss');
  assert.ok(!ear.heard());
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => ear.tick()), [false, false, false, true, false, false]);
  assert.ok(ear.heard());
  assert.ok(!ear.heard());
  for (let i = 0; i < 20; ++i) {
    assert.ok(!ear.tick());
    ear.heard();
  }
  // A program that was met anew and says nothing is silent as well.
  ear.begin();
  assert.deepEqual([1, 2, 3, 4, 5].map(() => ear.tick()), [false, false, false, true, false]);
  assert.ok(ear.heard());
});

test('nothing that the last program said is left when the next one is met', () => {
  const sockets: FakeSocket[] = [];
  const { WebSocket: socketBefore, setInterval: intervalBefore } = globalThis;
  Object.assign(globalThis, {
    WebSocket: function () {
      sockets.push(new FakeSocket());
      return sockets.at(-1);
    },
    setInterval: () => 0,
  });
  try {
    const store = createStore();
    const link = openLink(store, 'ws://test/');
    sockets[0].say(hello);
    store.status.set({ uptime: 1, machines: [{ name: 'lift', arm: 'armed' }] } as unknown as Status);
    store.picture.set({ t: 1, machines: [] });
    store.latency.set({ machines: [] });
    sockets[0].onclose?.({ code: 1006, reason: '' });
    assert.notEqual(store.status.value, null, 'while it is lost, what it said last is shown');
    const open: unknown[] = [];
    store.connection.on(({ state }) => state === 'open' && open.push([store.status.value, store.picture.value, store.latency.value]));
    link.reconnect();
    sockets[1].say(hello);
    assert.deepEqual(open, [[null, null, null]]);
  } finally {
    Object.assign(globalThis, { WebSocket: socketBefore, setInterval: intervalBefore });
  }
});

test('the page of a script says that the script controls, and that no machine waits for Arm', () => {
  const sockets: FakeSocket[] = [];
  const { WebSocket: socketBefore, setInterval: intervalBefore } = globalThis;
  Object.assign(globalThis, {
    WebSocket: function () {
      sockets.push(new FakeSocket());
      return sockets.at(-1);
    },
    setInterval: () => 0,
  });
  try {
    const store = createStore();
    openLink(store, 'ws://test/');
    sockets[0].say({ ...hello, metadata: { mode: 'live', controlled_by: 'script' } });
    assert.match(store.notice.value?.text ?? '', /the script .* controls the arm/);
    sockets[0].say({ op: 'advertise', channels: [{ ...channel, topic: '/tandem/status' }] });
    const { subscriptions } = sockets[0].heard().find(({ op }) => op === 'subscribe');
    const status = { uptime: 1, machines: [{ name: 'arm', arm: 'disarmed', moves: true }] };
    sockets[0].onmessage?.({ data: message(subscriptions[0].id, [...new TextEncoder().encode(JSON.stringify(status))]) });
    assert.equal(store.status.value?.machines[0].moves, false);
  } finally {
    Object.assign(globalThis, { WebSocket: socketBefore, setInterval: intervalBefore });
  }
});
