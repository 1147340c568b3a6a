// SPDX-License-Identifier: Apache-2.0
// What the sliders of faults send.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOn, slid, termsOf, type Chosen } from '../src/panels/chaos_terms';

const chosen = (by: Partial<Chosen>): Chosen => ({ steps: slid.map(() => 0), length: '10s', direction: 'both', seed: '', ...by });

test('sliders become terms with their units', () => {
  assert.equal(termsOf(chosen({ steps: [4, 3, 3, 0, 0], seed: '7' })), 'delay=50ms jitter=20ms loss=1% for=10s seed=7');
  assert.equal(termsOf(chosen({ steps: [0, 0, 0, 0, 0, 2, 0, 4], length: '2s', direction: 'client' })), 'corrupt=1e-5 rate=10kB/s to=client for=2s');
  assert.equal(termsOf(chosen({ steps: [0, 0, 0, 2, 3, 0, 4] })), 'duplicate=1% reorder=5% slice=7 for=10s');
});

test('nothing is sent where nothing is set', () => {
  assert.equal(termsOf(chosen({})), '');
  assert.equal(termsOf(chosen({ seed: '7', direction: 'device' })), '');
});

test('buttons take the place of the sliders, and what happens once has no length', () => {
  assert.equal(termsOf(chosen({ steps: [4, 0, 0, 0, 0] }), 'blackhole'), 'blackhole for=10s');
  assert.equal(termsOf(chosen({ seed: '3' }), 'hold'), 'hold for=10s seed=3');
  assert.equal(termsOf(chosen({}), 'reset'), 'reset');
  assert.equal(termsOf(chosen({ direction: 'device' }), 'half-open'), 'half-open to=device');
});

test('a seed that is no number is not sent', () => {
  for (const seed of ['x', '1.5', '-1', '1 2']) assert.equal(termsOf(chosen({ seed }), 'blackhole'), 'blackhole for=10s');
});

test('faults are on where the program says what', () => {
  assert.deepEqual([{}, { chaos: '' }, { chaos: 'ready' }, { chaos: 'hold for=10s seed=7, 3.2 s left' }].map(faultsOn), [false, false, false, true]);
});
