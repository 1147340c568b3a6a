// SPDX-License-Identifier: Apache-2.0
// What the panels compute and send: histograms, messages of controls, the dead man's switch, parameters, history, incidents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf, messageOf, placeOf, putAt } from '../src/panels/control_message';
import { Drive, jogEvery, type Wires } from '../src/panels/drive';
import { barHeight, decades, logBins, quantile } from '../src/panels/histogram';
import { History, joined } from '../src/panels/history';
import { incidentsFrom, incidentsOf, reportOf, shareOf, titleOf } from '../src/panels/incidents';
import { ownOf, parseParameter, sameValue, splitName } from '../src/panels/parameter_value';
import { padded } from '../src/panels/range';
import { createStore, type Control, type Scene, type Json, type MachineStatus, type Status } from '../src/store';

const control = (by: Partial<Control>): Control => ({
  name: 'forward', group: 'drive', kind: 'jog', topic: '/cmd_vel', type: 'geometry_msgs/msg/Twist', field: 'linear.x', message: {},
  unit: 'm/s', low: -1, high: 1, value: 0.5, rest: 0, key: 'w', ...by,
});

test('buckets become bins without gaps and lose no sample', () => {
  const edges = [1e-5, 1.2e-5, 1e-4, 3e-3];
  const counts = [5, 2, 100, 1];
  const bins = logBins(edges, counts, 4);
  assert.equal(bins.reduce((sum, bin) => sum + bin.count, 0), 108);
  for (let at = 1; at < bins.length; at += 1) assert.ok(Math.abs((bins[at]?.low ?? 0) / (bins[at - 1]?.high ?? 1) - 1) < 1e-9);
  // An edge lies in its bin, on its upper border at most.
  for (const edge of edges) assert.ok(bins.some((bin) => bin.count > 0 && edge > bin.low * (1 - 1e-9) && edge <= bin.high * (1 + 1e-9)));
  assert.deepEqual(logBins([], []), []);
  assert.deepEqual(logBins([0, NaN, -1], [1, 1, 1]), []);
});

test('quantiles are upper edges', () => {
  assert.equal(quantile([1, 2, 3], [50, 49, 1], 0.5), 1);
  assert.equal(quantile([1, 2, 3], [50, 49, 1], 0.99), 2);
  assert.equal(quantile([1, 2, 3], [50, 49, 1], 0.999), 3);
  assert.ok(Number.isNaN(quantile([], [], 0.5)));
  assert.equal(barHeight(0, 10), 0);
  assert.equal(barHeight(10, 10), 1);
  assert.ok(barHeight(1, 1e6) > 0.05);
  assert.deepEqual(decades(2e-6, 1e-3).map((mark) => Math.round(Math.log10(mark))), [-5, -4, -3]);
});

test('a number is put where its path says', () => {
  assert.deepEqual(putAt({ linear: { y: 1 } }, 'linear.x', 2), { linear: { y: 1, x: 2 } });
  assert.deepEqual(putAt({}, 'data.2', 5), { data: [0, 0, 5] });
  assert.deepEqual(putAt({ data: [1, 2] }, 'data.0', 9), { data: [9, 2] });
  assert.deepEqual(putAt({ points: [{ positions: [0, 0] }] }, 'points.0.positions.1', 3), { points: [{ positions: [0, 3] }] });
  assert.deepEqual(putAt({ a: 1 }, '', 3), { a: 1 });
  assert.deepEqual(putAt({}, '__proto__.x', 3), {});
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test('controls of one group are one message and never touch the original', () => {
  const forward = control({});
  const back = control({ name: 'back', value: -0.5 });
  const left = control({ name: 'left', field: 'angular.z', value: 1, message: {} });
  const alone = control({ name: 'horn', group: '' });
  assert.deepEqual(groupsOf([forward, alone, back, left]).map((group) => group.length), [3, 1]);
  const group = [forward, back, left];
  const none = new Map<Control, number>();
  assert.deepEqual(messageOf(group, { held: new Set([forward, left]), set: none }), { linear: { x: 0.5 }, angular: { z: 1 } });
  assert.deepEqual(messageOf(group, { held: new Set([forward, back]), set: none }), { linear: { x: 0 }, angular: { z: 0 } });
  const x = control({ kind: 'slider', field: 'data.0', value: 0.2, message: { data: [0, 0] } });
  const y = control({ kind: 'slider', field: 'data.1', value: 0.3, message: { data: [0, 0] } });
  assert.deepEqual(messageOf([x, y], { held: new Set(), set: new Map([[y, 0.9]]) }), { data: [0.2, 0.9] });
  assert.deepEqual(x.message, { data: [0, 0] });
  const open = control({ kind: 'button', field: 'data', value: 1, message: { data: 0 } });
  assert.deepEqual(messageOf([open], { held: new Set(), set: none }, open), { data: 1 });
});

test('what is shown in the unit of a machine leaves in that of its topic', () => {
  const none = new Map<Control, number>();
  const slider = control({ kind: 'slider', field: 'data', group: '', message: {}, scale: 0.001, offset: 1 });
  assert.deepEqual(messageOf([slider], { held: new Set(), set: new Map([[slider, 500]]) }), { data: 1.5 });
  const lamp = control({ kind: 'button', field: 'data', group: '', message: {}, value: 1, flag: true });
  assert.deepEqual(messageOf([lamp], { held: new Set(), set: none }, lamp), { data: true });
  assert.deepEqual(messageOf([lamp], { held: new Set(), set: none }, { ...lamp, value: 0 }), { data: false });
});

function bench(): { sent: Json[]; wires: Wires; tick(): void; may: { allowed: boolean; delivered: boolean; now: number }; clocks(): number } {
  const sent: Json[] = [];
  const clocks = new Set<() => void>();
  const may = { allowed: true, delivered: true, now: 0 };
  const wires: Wires = {
    publish: (_topic, _type, message) => may.delivered && sent.push(message) > 0,
    allowed: () => may.allowed,
    changed: () => undefined,
    now: () => may.now,
    every: (ms, act) => {
      assert.equal(ms, jogEvery);
      clocks.add(act);
      return () => clocks.delete(act);
    },
  };
  return { sent, wires, may, tick: () => [...clocks].forEach((act) => act()), clocks: () => clocks.size };
}

test('a jog is sent while held, once with its rest, and then never', () => {
  const { sent, wires, tick, clocks } = bench();
  const forward = control({});
  const group = [forward];
  const drive = new Drive(wires);
  assert.equal(sent.length, 0);
  assert.ok(drive.hold(group, forward));
  tick();
  tick();
  drive.release(group, forward);
  drive.release(group, forward);
  assert.deepEqual(sent, [0.5, 0.5, 0.5, 0].map((x) => ({ linear: { x } })));
  assert.equal(clocks(), 0);
});

test('letting all go says rest once per group', () => {
  const { sent, wires, clocks } = bench();
  const forward = control({});
  const left = control({ field: 'angular.z' });
  const drive = new Drive(wires);
  const group = [forward, left];
  drive.hold(group, forward);
  drive.hold(group, left);
  sent.length = 0;
  drive.releaseAll();
  drive.releaseAll();
  assert.deepEqual(sent, [{ linear: { x: 0 }, angular: { z: 0 } }]);
  assert.equal(clocks(), 0);
});

test('a jog ends when the machine is disarmed or the link is gone', () => {
  for (const loss of ['allowed', 'delivered'] as const) {
    const { wires, may, tick, clocks } = bench();
    const forward = control({});
    const drive = new Drive(wires);
    drive.hold([forward], forward);
    may[loss] = false;
    tick();
    assert.equal(clocks(), 0);
    assert.ok(!drive.holds(forward));
    assert.ok(!drive.hold([forward], forward));
  }
});

test('sliders follow the machine until one is touched, and anew after that', () => {
  const axes = ['x', 'y', 'z'].map((axis) => control({ name: axis, kind: 'slider', field: `pose.position.${axis}`, value: 0 }));
  const [x, y, z] = axes;
  const speed = control({ kind: 'slider', field: 'speed' });
  const scene = { frames: ['other', 'platform'], main_frame: 'platform' } as Scene;
  const at = (...place: (number | null)[]) => ({ name: 'm', seen: true, frames: [9, 9, 9, 0, 0, 0, 1, ...place, 0, 0, 0, 1], scalars: [], twin: null });
  assert.deepEqual(axes.map((axis) => placeOf(axis, scene, at(1, 2, 3))), [1, 2, 3]);
  assert.equal(placeOf(speed, scene, at(1, 2, 3)), undefined);
  assert.equal(placeOf(control({ field: 'position.y' }), scene, at(1, 2, 3)), 2);
  assert.equal(placeOf(control({ field: 'exposition.y' }), scene, at(1, 2, 3)), undefined);
  assert.equal(placeOf(y, scene, at(1, null, 3)), undefined);
  assert.equal(placeOf(y, scene, { ...at(1, 2, 3), seen: false }), undefined);
  assert.equal(placeOf(y, { ...scene, main_frame: 'none' }, at(1, 2, 3)), undefined);
  assert.equal(placeOf(y, scene, undefined), undefined);

  const { sent, wires } = bench();
  const drive = new Drive(wires);
  const move = (...place: number[]): void => axes.forEach((axis, i) => drive.follow(axes, axis, place[i]));
  move(1, 2, 3);
  move(1.5, 2.5, 3.5);
  drive.slide(axes, y, 0.2);
  move(8, 8, 8);
  drive.slide(axes, z, 0.3);
  drive.followAnew();
  move(4, 5, 6);
  drive.slide(axes, x, 0.1);
  assert.deepEqual(sent, [[1.5, 0.2, 3.5], [1.5, 0.2, 0.3], [0.1, 5, 6]].map(([px, py, pz]) => ({ pose: { position: { x: px, y: py, z: pz } } })));
});

test('a slider of a list stands at the value that has the name of its group', () => {
  const joints = [0, 1, 2].map((i) => control({ name: `joint ${i}`, group: 'joints', kind: 'slider', field: `data.${i}`, unit: 'rad' }));
  const scene = { frames: [], main_frame: '' } as unknown as Scene;
  const told = (unit: string, numbers: (number | null)[], quality = 'live') =>
    ({ quality, values: [{ name: 'speed', unit: 'rad', numbers: [9], text: '' }, { name: 'joints', unit, numbers, text: '' }] }) as unknown as MachineStatus;
  assert.deepEqual(joints.map((joint) => placeOf(joint, scene, undefined, told('rad', [0.1, 0.2, null]))), [0.1, 0.2, undefined]);
  assert.equal(placeOf(joints[0], scene, undefined, told('mm', [1])), undefined);
  assert.equal(placeOf(joints[0], scene, undefined, told('rad', [1], 'stale')), undefined);
  // A pose that the machine tells goes before the picture, whose world may be another.
  const up = control({ group: 'pose', kind: 'slider', field: 'pose.position.z', unit: 'm' });
  const status = { quality: 'live', values: [{ name: 'pose', unit: 'm, rad', numbers: [1, 2, -3, 0, 0, 0], text: '' }] } as unknown as MachineStatus;
  assert.equal(placeOf(up, scene, undefined, status), -3);
});

test('no slider leaves before all of its group know where the machine is', () => {
  const { sent, wires } = bench();
  const group = [0, 1].map((i) => control({ kind: 'slider', field: `data.${i}`, value: 0.5 }));
  const drive = new Drive(wires);
  assert.ok(!drive.ready(group, group[0]));
  assert.ok(!drive.slide(group, group[0], 0.1));
  drive.followAnew();
  drive.follow(group, group[1], -0.3);
  assert.ok(drive.slide(group, group[0], 0.1));
  assert.deepEqual(sent, [{ data: [0.1, -0.3] }]);
  drive.followAnew();
  assert.ok(!drive.slide(group, group[0], 0.2), 'what was heard before a stop no longer holds');
  // One alone sets nothing but itself.
  assert.ok(drive.slide([group[0]], group[0], 0.2));
});

test('sliders follow again when the machine stands, and when somebody jogs it', () => {
  const { sent, wires, may } = bench();
  const group = [0, 1].map((i) => control({ kind: 'slider', field: `data.${i}` }));
  const jog = control({});
  const drive = new Drive(wires);
  const machine = (...places: number[]): void => {
    drive.stand(group, places);
    group.forEach((one, i) => drive.follow(group, one, places[i]));
  };
  machine(0, 0);
  drive.slide(group, group[0], 0.8);
  for (may.now = 100; may.now <= 5000; may.now += 100) machine(Math.min(0.8, may.now / 5000), 0);
  assert.ok(!drive.follows(group), 'it is on its way');
  for (; may.now <= 8200; may.now += 100) machine(0.8, 0);
  assert.ok(drive.follows(group));
  machine(0.8, 0.4); // somebody else moves it
  drive.slide(group, group[0], 0.7);
  assert.deepEqual(sent, [{ data: [0.8, 0] }, { data: [0.7, 0.4] }]);
  // While one is being slid the other hand does not pull it away, however long it takes.
  drive.touch(group);
  for (let i = 0; i < 100; ++i, may.now += 100) machine(0.7, 0.4);
  assert.ok(!drive.follows(group));
  drive.slide(group, group[0], 0.6);
  assert.ok(!drive.follows(group));
  drive.hold([jog], jog);
  assert.ok(drive.follows(group));
});

test('a slider that is not let go is given up with everything else, and sends nothing', () => {
  const { sent, wires } = bench();
  const group = [0, 1].map((i) => control({ kind: 'slider', field: `data.${i}` }));
  const drive = new Drive(wires);
  const machine = (...places: number[]): void => {
    drive.stand(group, places);
    group.forEach((one, i) => drive.follow(group, one, places[i]));
  };
  machine(0, 0);
  drive.touch(group);
  drive.releaseAll();
  assert.ok(drive.follows(group));
  machine(0.3, 0.4); // somebody else moves it
  drive.slide(group, group[0], 0.5);
  assert.deepEqual(sent, [{ data: [0.5, 0.4] }]);
  // One that was let go keeps its set point: it was sent.
  drive.releaseAll();
  assert.ok(!drive.follows(group));
  drive.touch(group);
  drive.leave(group);
  assert.ok(drive.follows(group));
  assert.equal(sent.length, 1);
});

test('nothing is sent that is not allowed', () => {
  const { sent, wires, may } = bench();
  may.allowed = false;
  const drive = new Drive(wires);
  const slider = control({ kind: 'slider' });
  const button = control({ kind: 'button' });
  assert.ok(!drive.slide([slider], slider, 0.7));
  assert.ok(!drive.press([button], button));
  assert.ok(!drive.hold([slider], slider));
  assert.equal(sent.length, 0);
  assert.equal(drive.value(slider), 0.7);
});

test('parameters keep their kind', () => {
  assert.deepEqual(parseParameter('1e2', 5), { ok: true, value: 100 });
  assert.deepEqual(parseParameter('−2', 5), { ok: true, value: -2 });
  assert.equal(parseParameter('fast', 5).ok, false);
  assert.equal(parseParameter('', 5).ok, false);
  assert.deepEqual(parseParameter('true', false), { ok: true, value: true });
  assert.equal(parseParameter('yes', false).ok, false);
  assert.deepEqual(parseParameter('[1, 2]', [0]), { ok: true, value: [1, 2] });
  assert.equal(parseParameter('{"a":1}', [0]).ok, false);
  assert.deepEqual(parseParameter(' as it is ', 'x'), { ok: true, value: ' as it is ' });
  assert.deepEqual(splitName('/a/b.gain.p'), { node: '/a/b', parameter: 'gain.p' });
  assert.ok(sameValue(0.1 + 0.2, 0.3));
  assert.ok(!sameValue([1], [2]));
});

test('a machine has the parameters of its own node', () => {
  const all = ['/lab/lift.rate', '/lab/lift_twin.rate', '/lift.rate', '/lab/lift.gain.p', '/lab/lift.device'].map((name) => ({ name, value: 1 }));
  assert.deepEqual(ownOf(all, '/lab/lift').map(({ name }) => name), ['/lab/lift.device', '/lab/lift.gain.p', '/lab/lift.rate']);
  assert.deepEqual(ownOf(all, ''), []);
});

test('a history breaks its line while the link is lost and begins anew when time goes back', () => {
  const store = createStore();
  const history = new History(store);
  const machine = (state: string, x: number): MachineStatus => ({ name: 'a', state, values: [{ name: 'v', unit: 'm', numbers: [x], text: '' }], twin_values: [] }) as unknown as MachineStatus;
  const at = (t: number, state: string, x: number): void => {
    store.picture.set({ t, machines: [] });
    store.status.set({ uptime: 0, machines: [machine(state, x)] } as unknown as Status);
  };
  at(100, 'live', 1);
  at(100.1, 'down', 1);
  at(100.2, 'live', 2);
  const track = history.of('a').get('v/0');
  assert.deepEqual(track?.real, [1, null, 2]);
  assert.deepEqual(joined([track!], 100.05, false), [[100.1, 100.2], [null, 2]]);
  at(50, 'live', 7);
  assert.deepEqual(track?.times, [50]);
  at(50.1, 'live', 8);
  assert.deepEqual(track?.real, [7, 8]);
});

test('a plot gives a constant signal room', () => {
  assert.deepEqual(padded(null, null), [0, 1]);
  const [low, high] = padded(2, 2);
  assert.ok(low < 2 && high > 2);
});

test('an incident has a report beside the page, whatever its path and name', () => {
  const incident = { file: '/var/lib/a b/20261119T043015Z_lift_lost.mcap', machine: 'lift', cause: 'protective_stop', text: 'joint 3', at: 100 };
  assert.equal(reportOf(incident), './incidents/20261119T043015Z_lift_lost.html');
  assert.equal(reportOf({ ...incident, file: 'a b#?.mcap' }), './incidents/a%20b%23%3F.html');
  assert.equal(titleOf(incident), 'lift: protective stop: joint 3');
  assert.equal(titleOf({ ...incident, text: '' }), 'lift: protective stop');
  assert.deepEqual(incidentsOf([incident, { ...incident, machine: 'arm' }, { ...incident, machine: 'all' }], 'lift').map(({ machine }) => machine), ['lift', 'all']);
  assert.equal(incidentsOf([incident, { ...incident, machine: 'arm' }], '').length, 2);
});

test('a mark stands where its time is on the bar, and nowhere else', () => {
  assert.equal(shareOf(15, 10, 20), 0.5);
  assert.equal(shareOf(10, 10, 20), 0);
  assert.equal(shareOf(20, 10, 20), 1);
  for (const at of [9.9, 20.1, NaN]) assert.equal(shareOf(at, 10, 20), undefined);
  assert.equal(shareOf(10, 10, 10), undefined);
});

test('incidents of an unknown program are believed only where they are whole', () => {
  const good = { file: 'a.mcap', machine: 'a', cause: 'lost', text: '', at: 1 };
  assert.deepEqual(incidentsFrom([good, null, 3, {}, { ...good, at: '1' }, { ...good, file: 7 }]), [good]);
  for (const bad of [undefined, null, {}, 'x']) assert.deepEqual(incidentsFrom(bad), []);
});
