// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Motion } from '../src/scene/motion';

const pose = (x: number, angle = 0) => [x, 0, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
const turn = (shown: Float64Array) => 2 * Math.atan2(shown[5], shown[6]);

test('the first picture is shown at once', () => {
  const motion = new Motion(1);
  assert.ok(motion.aim(pose(3), 10, 0, true));
  assert.equal(motion.advance(0), false);
  assert.equal(motion.shown[0], 3);
});

test('between two pictures the way is straight and ends at the newest', () => {
  const motion = new Motion(1);
  motion.aim(pose(0, 0), 10, 0, true);
  motion.advance(0);
  motion.aim(pose(1, 0.2), 10.1, 5, true);
  assert.equal(motion.advance(5.05), true);
  assert.ok(Math.abs(motion.shown[0] - 0.5) < 1e-9);
  assert.ok(Math.abs(turn(motion.shown) - 0.1) < 1e-4);
  assert.equal(motion.advance(5.1), false);
  assert.equal(motion.shown[0], 1);
});

test('nothing is drawn beyond the newest picture', () => {
  const motion = new Motion(1);
  motion.aim(pose(0), 10, 0, true);
  motion.advance(0);
  motion.aim(pose(1), 10.05, 1, true);
  motion.advance(60);
  assert.equal(motion.shown[0], 1);
});

test('a late picture starts from what is shown', () => {
  const motion = new Motion(1);
  motion.aim(pose(0), 10, 0, true);
  motion.advance(0);
  motion.aim(pose(1), 10.1, 0, true);
  motion.advance(0.04);
  const before = motion.shown[0];
  motion.aim(pose(2), 10.2, 0.04, true);
  motion.advance(0.04);
  assert.ok(Math.abs(motion.shown[0] - before) < 1e-12);
});

test('a turn takes the short way round whatever the sign of its quaternion', () => {
  const motion = new Motion(1);
  motion.aim(pose(0, 0.1), 10, 0, true);
  motion.advance(0);
  motion.aim(pose(0, 0.3).map((v, i) => (i > 2 ? -v : v)), 10.1, 0, true);
  motion.advance(0.05);
  const [z, w] = [motion.shown[5], motion.shown[6]];
  assert.ok(Math.abs(Math.abs(2 * Math.atan(z / w)) - 0.2) < 1e-4);
  assert.ok(Math.abs(z * z + w * w - 1) < 1e-12);
});

test('a machine at rest asks for no frames', () => {
  const motion = new Motion(1);
  motion.aim(pose(1), 10, 0, true);
  motion.advance(0);
  motion.aim(pose(1 + 1e-7), 10.02, 0.02, true);
  assert.ok(motion.rests);
  assert.equal(motion.advance(0.02), false);
  motion.aim(pose(1.01), 10.04, 0.04, true);
  assert.ok(!motion.rests);
});

test('a jump in time is not animated', () => {
  for (const stamp of [10, 9, 14]) {
    const motion = new Motion(1);
    motion.aim(pose(0), 10, 0, true);
    motion.advance(0);
    motion.aim(pose(7), stamp, 0, true);
    assert.equal(motion.advance(0), false);
    assert.equal(motion.shown[0], 7);
  }
});

test('a picture of the wrong length is refused', () => {
  const motion = new Motion(1);
  motion.aim(pose(2), 10, 0, true);
  motion.advance(0);
  assert.equal(motion.aim([1, 2, 3], 10.1, 0, true), false);
  motion.advance(1);
  assert.equal(motion.shown[0], 2);
});

test('a frame that is not known is missing and the others move on', () => {
  const motion = new Motion(2);
  motion.aim([...pose(2), ...pose(5)], 10, 0, true);
  motion.advance(0);
  assert.equal(motion.aim([...pose(3), null, null, null, null, null, null, null], 10.1, 0, true), true);
  motion.advance(1);
  assert.deepEqual([motion.shown[0], motion.shown[7]], [3, 5]);
  assert.deepEqual([...motion.missing], [false, true]);
});
