import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groundOf, planFrom, scalesFrom } from '../src/scene/layout';
import type { Part, Tie } from '../src/wire';
import { shade } from '../src/scene/colours';

test('no two machines stand on the same ground', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 300; ++round) {
    const extents = Array.from({ length: 1 + Math.floor(random() * 12) }, () => 0.5 + random() * 20);
    const { places, width, depth } = planFrom(extents, round % 2 ? 2 : 0.8);
    places.forEach((a, i) => {
      assert.ok(Math.abs(a.x) + a.extent / 2 <= width / 2 + 1e-9);
      assert.ok(Math.abs(a.y) + a.extent / 2 <= depth / 2 + 1e-9);
      for (const b of places.slice(i + 1)) {
        const reach = (a.extent + b.extent) / 2 - 1e-9;
        assert.ok(Math.abs(a.x - b.x) >= reach || Math.abs(a.y - b.y) >= reach);
      }
    });
  }
});

test('one machine stands in the middle, none need no ground', () => {
  assert.deepEqual(planFrom([4]).places, [{ x: 0, y: 0, extent: 4, scale: 1 }]);
  assert.deepEqual(planFrom([]), { places: [], width: 0, depth: 0 });
});

test('machines of far other sizes are drawn nearer to the middle one', () => {
  assert.deepEqual(scalesFrom([4, 12, 1.3, 5]), [1, 0.5, 2.5, 1]);
  assert.deepEqual(scalesFrom([3, 3.3, 2.8]), [1, 1, 1]);
});

test('a machine gets the ground that its parts need', () => {
  const part = (by: Partial<Part>): Part => ({ name: '', frame: 'world', shape: 'box', size: [1, 2, 1], at: [0, 0, 0, 0, 0, 0, 1], color: '', opacity: 1, ...by });
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
  near(groundOf({ parts: [part({})], ties: [], extent: 4 }), 2.1);
  near(groundOf({ parts: [part({ at: [0.5, 0, 0, 0, 0, 0, 1] }), part({ size: [90, 90, 1], layer_off: true })], ties: [], extent: 4 }), 2.1);
  near(groundOf({ parts: [part({ shape: 'mesh', points: [1, -3, 90] })], ties: [], extent: 9 }), 6.3);
  near(groundOf({ parts: [], ties: [{ from: 'world', from_point: [0.6, 0.2, 0] } as Tie], extent: 2 }), 1.26);
  // One that drives about: all that it can reach.
  near(groundOf({ parts: [part({ frame: 'base', size: [3, 1, 1] })], ties: [], extent: 12 }), 12);
  // Nothing at all, and more than it says that it needs.
  near(groundOf({ parts: [], ties: [], extent: 5 }), 1);
  near(groundOf({ parts: [part({ size: [50, 50, 1] })], ties: [], extent: 5 }), 5.5);
});

test('rows fill the shape that is asked for', () => {
  const wide = planFrom([3, 3, 3, 3, 3, 3], 3);
  const deep = planFrom([3, 3, 3, 3, 3, 3], 0.8);
  assert.ok(wide.width > 1.4 * wide.depth);
  assert.ok(deep.width < 1.2 * deep.depth);
});

test('a strange extent gets a metre', () => {
  assert.equal(planFrom([Number.NaN]).places[0].extent, 1);
});

test('the colour map grows lighter all the way', () => {
  const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  let last = -1;
  for (let share = 0; share <= 1; share += 0.02) {
    const [r, g, b] = shade(share).map(linear);
    const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    assert.ok(light > last, `at ${share}`);
    last = light;
  }
});
