// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../src/fleet/wire';
import { clockText, fleetSum, hostWord, isPage, onItsOwnPage, stopTrouble } from '../src/fleet/words';

const host = (name: string, reachable: boolean, states: string[] = []): Host =>
  ({
    name,
    page: 'http://127.0.0.1:8088',
    reachable,
    error: reachable ? '' : 'refused',
    control: true,
    version: '0.2.0',
    clock: null,
    status: { machines: states.map((state) => ({ state, quality: state === 'live' ? 'live' : 'stale' })) },
  }) as unknown as Host;

test('a host that is away is named in the sum, and colours it', () => {
  assert.deepEqual(fleetSum([host('a', true, ['live']), host('b', true, ['live', 'live'])]), {
    text: '2 of 2 hosts, 3 of 3 machines live',
    tone: 'good',
  });
  assert.equal(fleetSum([host('a', true, ['down'])]).tone, 'doubt');
  const away = fleetSum([host('a', true), host('b', false)]);
  assert.equal(away.tone, 'bad');
  assert.match(away.text, /unreachable: b$/);
});

test('an offset has its sign, its unit and its error', () => {
  assert.match(clockText({ offset: -0.0025, uncertainty: 0.00008, round_trip: 0.00016, exchanges: 8 }), /^clock −2\.5.ms ± 80.µs$/);
  assert.equal(clockText(null), 'clock unknown');
});

test('a stop that one host did not confirm names the host and its reason', () => {
  const hosts = [
    { name: 'a', ok: true, text: 'stopped: lift' },
    { name: 'b', ok: false, text: 'connection refused' },
  ];
  assert.equal(stopTrouble({ ok: false, hosts }), 'b: connection refused');
  assert.equal(stopTrouble({ ok: true, hosts: hosts.slice(0, 1) }), '');
  assert.notEqual(stopTrouble({ ok: false, hosts: [] }), '');
});

test('buttons of a machine are on its own page', () => {
  assert.equal(onItsOwnPage('A stop is latched: press Reset, then Arm.'), 'A stop is latched: press Reset, then Arm on its own page.');
});

test('only an address of a page becomes a link', () => {
  assert.ok(isPage('https://10.0.0.5:8088'));
  for (const other of ['javascript:alert(1)', 'http://', 'http://a/?token=b', 'ftp://a']) assert.ok(!isPage(other));
  assert.equal(hostWord({ reachable: false, error: 'connecting' }).tone, 'doubt');
});
