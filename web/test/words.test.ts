// SPDX-License-Identifier: Apache-2.0
// What the panels say: why-texts, numbers, signals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostHead, lostText } from '../src/panels/banner';
import * as format from '../src/panels/format';
import { signalsOf, unitAt } from '../src/panels/series';
import { connectionWord, recordingText } from '../src/panels/top_bar';
import { armQuestion, listed, reachOf } from '../src/panels/all_actions';
import {
  armedWords, armOff, armWhy, armWord, controlsOff, linkWhy, linkWord, recordedArmWord, recordedLinkWord, recordedWhy, resetOff, sumOf, why,
} from '../src/panels/why';
import { wordsFor } from '../src/scene/words';
import { presenceOf, type Connection, type MachineStatus } from '../src/store';

const live: MachineStatus = {
  name: 'lift', type: 'raptorlift', device: 'modbus://192.168.2.1:502', virtual: false, moves: true, state: 'live', cause: '',
  quality: 'live', arm: 'armed', arm_cause: 'armed', arm_by: 'page', rate: 100, age: 0.01, samples: 5, invalid: 0, connects: 1,
  attempts: 1, stale_episodes: 0, hops: [], values: [], twin_values: [],
};
const plain = (text: string): string => text.replace(/\u202f/g, ' ');
const able = { connected: true, mayControl: true };

test('a machine that is well says nothing', () => {
  assert.equal(why(live, 60), '');
  assert.deepEqual([linkWord(live).word, linkWord(live).tone], ['Live', 'good']);
  assert.equal(controlsOff(live, able), '');
});

test('a pulled cable says since when, why, what to check and what does not come back', () => {
  const away: MachineStatus = { ...live, state: 'connecting', quality: 'stale', age: 12.4, arm: 'stopped', cause: 'connection refused at 127.0.0.1:48898' };
  const said = plain(why(away, 60));
  assert.match(said, /^Unreachable for 12 s\. Check the cable and the device's power/);
  assert.match(said, /Reading resumes by itself; motion does not, so that nothing starts unasked: press Reset, then Arm\. Last try: connection refused at 127\.0\.0\.1:48898\.$/);
  assert.equal(linkWord(away).word, 'Link lost');
  assert.equal(linkWord(away).tone, 'bad');
  // Disarmed by its link only: no reset is needed.
  assert.match(why({ ...away, arm: 'disarmed', arm_by: 'link' }, 60), /motion does not, so that nothing starts unasked: press Arm when it is live\. Last/);
  assert.match(why({ ...away, moves: false }, 60), /Reading resumes by itself\. Last/);
});

test('the line on all machines names those that something is the matter with, the worst first', () => {
  const one = (name: string, by: Partial<MachineStatus>): MachineStatus => ({ ...live, name, ...by });
  const stale = one('sub', { state: 'syncing', quality: 'stale' });
  const lost = one('lift', { state: 'connecting', quality: 'stale', arm: 'stopped' });
  const stopped = one('arm', { arm: 'stopped' });
  assert.deepEqual(sumOf([live, one('arm', {})]), { text: 'all 2 live', tone: 'calm' });
  assert.deepEqual(sumOf([stale, live]), { text: 'Stale: sub', tone: 'doubt' });
  assert.deepEqual(sumOf([stale, stopped, lost, one('two', { state: 'down' })]), { text: 'Link lost: lift, two · Stopped: arm · Stale: sub', tone: 'bad' });
  assert.equal(sumOf([stopped, stopped]).text, 'Stopped: all 2');
});

test('one that was never seen counts from the start of the program', () => {
  const never: MachineStatus = { ...live, state: 'connecting', age: -1, arm: 'disarmed', cause: 'no answer' };
  assert.match(plain(linkWhy(never, 75)), /^Unreachable for 1 min 15 s\. Check the cable.* Last try: no answer\.$/);
  assert.equal(linkWord(never).word, 'Not found yet');
});

test('a virtual device is not told to check its cable', () => {
  const lost: MachineStatus = { ...live, state: 'down', virtual: true, arm: 'disarmed', cause: 'x' };
  assert.doesNotMatch(why(lost, 1), /cable|process/);
  assert.match(why(lost, 1), /inside this program/);
  assert.match(why({ ...lost, unplugged: true }, 1), /is unplugged.*Plug in/);
  assert.equal(wordsFor('absent', { ...lost, age: 5, unplugged: true }, { state: 'open' } as Connection).text, 'unplugged for 5 s');
});

test('an armed machine whose task was taken over says how it begins again', () => {
  assert.equal(armedWords(live), 'Armed: it follows commands.');
  const task = { name: 'task', unit: '', numbers: [], text: 'off: another client drove; stop, reset and arm restart it' };
  assert.match(armedWords({ values: [task] }), /Stop, Reset, then Arm/);
  assert.equal(armedWords({ values: [{ ...task, text: 'picks the cube' }] }), 'Armed: it follows commands.');
});

test('stale, bad and faulted are told apart in words', () => {
  assert.equal(linkWord({ ...live, state: 'syncing', quality: 'stale' }).word, 'Stale');
  assert.equal(linkWord({ ...live, state: 'syncing', quality: 'invalid' }).word, 'Bad data');
  assert.equal(linkWord({ ...live, state: 'syncing', age: -1 }).word, 'Setting up');
  assert.equal(linkWord({ ...live, state: 'faulted' }).word, 'Faulted');
  assert.match(plain(linkWhy({ ...live, state: 'syncing', quality: 'stale', age: 3.2, cause: 'no new cycle' }, 9)), /3 s old: no new cycle\./);
  assert.equal(plain(linkWhy({ ...live, warning: '22 Hz instead of 100 Hz' }, 9)), 'Slow: 22 Hz instead of 100 Hz.');
});

test('a stop says by whom and how it is released', () => {
  const stopped: MachineStatus = { ...live, arm: 'stopped', arm_cause: 'stop requested', arm_by: 'page' };
  assert.equal(armWhy(stopped), 'Stopped by page (stop requested). A stop is latched: press Reset, then Arm.');
  assert.equal(armWord(stopped).word, 'Stopped');
  assert.equal(armOff(stopped, able), 'It is stopped: press Reset first.');
  assert.equal(controlsOff(stopped, able), 'It is stopped. Press Reset, then Arm.');
  assert.equal(recordedWhy(stopped), 'Stopped by page: stop requested.');
});

test('controls tell what is missing, the nearest cause first', () => {
  assert.match(controlsOff(live, { connected: false, mayControl: true }), /[Nn]ot connected to the program/);
  assert.match(controlsOff(live, { connected: true, mayControl: false }), /read-only.*`tandem page`.*token/s);
  // A token would not help on the page of a script.
  const scripts = { connected: true, mayControl: false, byScript: true };
  for (const off of [controlsOff(live, scripts), armOff(live, scripts), resetOff(live, scripts)]) {
    assert.match(off, /read-only: the script .* controls the arm/);
    assert.doesNotMatch(off, /token|tandem page/);
  }
  assert.match(controlsOff({ ...live, moves: false }, able), /read-only/);
  assert.match(controlsOff({ ...live, state: 'down' }, able), /not live/);
  assert.match(controlsOff({ ...live, arm: 'disarmed' }, able), /Press Arm/);
  assert.equal(armOff({ ...live, arm: 'disarmed' }, able), '');
  assert.match(armOff({ ...live, arm: 'disarmed', state: 'syncing' }, able), /not live/);
});

test('a lost page says that machines were not stopped by it', () => {
  assert.match(lostText({ mode: 'live', why: 'closed', refused: false }, true), /not stopped/);
  assert.match(lostText({ mode: 'live', why: '', refused: false }, false), /Is tandem running\?/);
  const refused = { mode: 'live', why: 'The token is wrong.', refused: true } as const;
  assert.equal(lostText(refused, false), 'The token is wrong.');
  assert.match(lostText(refused, true), /^The token is wrong\. Machines are not stopped by this: they continue with their last commands\. /);
  assert.match(lostHead(refused, false), /refused this page/);
  assert.equal(connectionWord({ state: 'lost', mode: 'live' }).word, 'Not connected');
});

test('numbers read well', () => {
  const cases: [string, string][] = [
    [format.duration(0.000041), '41 µs'], [format.duration(0.0000035), '3.5 µs'], [format.duration(0.0025), '2.5 ms'], [format.duration(3), '3.0 s'],
    [format.duration(125), '2 min 5 s'], [format.duration(7260), '2 h 1 min'], [format.duration(-1), 'never'],
    [format.age(0.02), 'under 0.1 s'], [format.age(-1), 'no sample yet'], [format.age(12.7), '12 s'],
    [format.rate(499.9), '500 Hz'], [format.rate(0.5), '0.5 Hz'], [format.rate(NaN), '0 Hz'],
    [format.bytes(999), '999 B'], [format.bytes(1234567), '1.2 MB'],
    [format.number(-0.1234), '−0.123'], [format.number(-0.00001), '−1.00e-5'], [format.number(0), '0'], [format.number(1234.5), '1235'], [format.number(null), '–'],
    [format.number(-0.0), '0'], [format.withUnit(2.5, 'm'), '2.500 m'], [format.count(1234567), '1 234 567'], [format.position(75.25), '1:15.2'],
    [recordingText({ file: '/tmp/a.mcap', messages: 1, bytes: 2000, dropped: 3, trouble: '' }), 'a.mcap 2.0 kB, 3 dropped'],
  ];
  for (const [seen, expected] of cases) assert.equal(plain(seen), expected);
});

test('a slider has about two hundred round steps', () => {
  for (const [low, high, step] of [[0, 1, 0.005], [-180, 180, 2], [-0.2, 0.2, 0.002]] as const) {
    assert.ok(Math.abs(format.sliderStep(low, high) - step) < 1e-12);
  }
  assert.equal(format.sliderStep(1, 1), 1);
});

test('numbers of a value get their names and units', () => {
  const names = (name: string, unit: string, size: number): string[] =>
    signalsOf({ name, unit, numbers: new Array<number>(size).fill(0), text: '' }).map((signal) => `${signal.name} [${signal.unit}]`);
  assert.deepEqual(names('pose', 'm, rad', 3), ['pose x [m]', 'pose y [m]', 'pose yaw [rad]']);
  assert.deepEqual(names('pose', 'm, quaternion', 7).slice(2, 4), ['pose z [m]', 'pose qx []']);
  assert.deepEqual(names('depth, sonar', 'm', 2), ['depth [m]', 'sonar [m]']);
  assert.deepEqual(names('tensions', 'N', 2), ['tensions 1 [N]', 'tensions 2 [N]']);
  assert.deepEqual(names('slip', 'm/s', 1), ['slip [m/s]']);
  // An arm's tool has a rotation vector, not roll, pitch and yaw, also in recordings that do not name its parts.
  assert.deepEqual(names('tool pose', 'm, rad', 6).slice(2), ['tool pose z [m]', 'tool pose rx [rad]', 'tool pose ry [rad]', 'tool pose rz [rad]']);
  const named = (parts: string[]) => signalsOf({ name: 'wheel speeds', unit: 'rad/s', numbers: [1, 2], text: '', parts }).map(({ name }) => name);
  assert.deepEqual(named(['front right', 'front left']), ['wheel speeds front right', 'wheel speeds front left']);
  assert.deepEqual(named(['front right']), ['wheel speeds 1', 'wheel speeds 2'], 'names that do not fit are not used');
  assert.equal(unitAt('m/s, rad/s', 1, 2), 'rad/s');
});

test('a machine in the view that is live and stands says why', () => {
  const open = { state: 'open' } as Connection;
  const beside = (more: Partial<MachineStatus>): string => wordsFor('present', { ...live, ...more }, open).text;
  assert.equal(beside({}), 'armed');
  assert.equal(beside({ arm: 'disarmed', arm_by: '' }), 'not armed');
  assert.match(beside({ arm: 'disarmed', arm_by: 'link' }), /link broke; waiting for Arm/);
  assert.equal(beside({ moves: false }), '');
});

test('how fresh a machine is has nothing to do with whether it is stopped', () => {
  for (const arm of ['armed', 'stopped'] as const) {
    const told = (more: Partial<MachineStatus>, seen = true, connected = true) => presenceOf({ ...live, arm, ...more }, seen, connected);
    assert.equal(told({}), 'present');
    assert.equal(told({ quality: 'stale' }), 'stale');
    assert.equal(told({ quality: 'invalid' }), 'stale');
    assert.equal(told({ state: 'syncing' }), 'stale');
    assert.equal(told({}, true, false), 'stale', 'what the page cannot hear of is old');
    assert.equal(told({}, false), 'absent', 'nobody knows where it is');
    assert.equal(told({ quality: 'stale' }, false), 'absent');
    for (const state of ['down', 'connecting', 'faulted'] as const) assert.equal(told({ state }), 'absent');
  }
  assert.equal(presenceOf(undefined, true, true), 'present');
  assert.equal(presenceOf(undefined, true, false), 'stale');
});

test('a machine in the view says that it is stopped and that it is stale', () => {
  const open = { state: 'open' } as Connection;
  const stopped: MachineStatus = { ...live, arm: 'stopped', arm_cause: 'stop requested' };
  assert.deepEqual(wordsFor('present', stopped, open), { mark: '■', text: 'stopped: stop requested' });
  assert.deepEqual(wordsFor('stale', { ...stopped, age: 3, cause: 'no new cycle' }, open), { mark: '◐', text: 'stopped; stale for 3 s: no new cycle' });
  assert.match(wordsFor('absent', { ...stopped, state: 'connecting' }, open).text, /^stopped; unplugged/);
  assert.equal(wordsFor('absent', live, open).text, 'position unknown');
});

test('a recording is never live, armed or recorded into', () => {
  for (const arm of ['armed', 'stopped', 'disarmed'] as const)
    for (const by of [{}, { state: 'syncing', quality: 'stale' }, { state: 'down' }] as Partial<MachineStatus>[]) {
      const machine: MachineStatus = { ...live, arm, ...by };
      const said = [recordedLinkWord(machine).word, recordedArmWord(machine).word, sumOf([machine, machine], true).text, wordsFor('present', machine, { state: 'open', mode: 'replay' } as Connection).text];
      for (const word of said) assert.doesNotMatch(word, /^(all .*)?(live|armed|rec)$/i);
    }
  assert.deepEqual([recordedLinkWord(live).word, recordedArmWord(live).word], ['Recorded', 'Was armed']);
  assert.equal(recordedLinkWord({ ...live, state: 'down' }).word, 'Was: link lost');
  assert.equal(recordedArmWord({ ...live, moves: false }).word, 'Read-only');
  const rights = { connected: true, mayControl: false, recorded: true };
  for (const off of [controlsOff(live, rights), armOff(live, rights), resetOff(live, rights)]) assert.match(off, /recording.*nothing here can be moved/);
});

test('Arm all names what it arms and what it leaves out, and Reset all reaches the stopped only', () => {
  const one = (name: string, by: Partial<MachineStatus>): MachineStatus => ({ ...live, name, virtual: true, arm: 'disarmed', ...by });
  const machines = [one('a', {}), one('b', { virtual: false }), one('c', { arm: 'stopped' }), one('d', { state: 'connecting' }), one('e', { arm: 'armed' }), one('f', { moves: false })];
  const names = (list: MachineStatus[]): string => list.map(({ name }) => name).join('');
  const { arm, reset } = reachOf(machines, able);
  assert.deepEqual([names(arm), names(reset)], ['ab', 'c']);
  const asked = armQuestion(machines, able);
  assert.equal(asked.head, 'Arm a and b (REAL)?');
  assert.match(asked.text, /Left out: c \(stopped: press Reset first\), d \(its link is not live\)\.$/);
  for (const rights of [{ connected: false, mayControl: true }, { connected: true, mayControl: false }]) assert.deepEqual(reachOf(machines, rights), { arm: [], reset: [] });
  assert.deepEqual([listed(['a']), listed(['a', 'b', 'c'])], ['a', 'a, b and c']);
});
