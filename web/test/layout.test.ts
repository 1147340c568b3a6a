// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlap, placed, type Rect } from '../src/scene/label_places';
import { groundOf, hostsOf, isFlat, planFrom, scalesFrom, sideways } from '../src/scene/layout';
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

test('a scene stands on the ground that it names, and on its own where there is none', () => {
  const scenes = [['hall', ''], ['a', 'hall'], ['b', 'nowhere'], ['c', 'c'], ['d', 'a']].map(([name, ground]) => ({ name, scene: { ground } }));
  assert.deepEqual(hostsOf(scenes), [-1, 0, -1, -1, -1]);
});

test('one machine stands in the middle, none need no ground', () => {
  assert.deepEqual(planFrom([4]).places, [{ x: 0, y: 0, extent: 4, scale: 1 }]);
  const { places, width, depth } = planFrom([]);
  assert.deepEqual({ places, width, depth }, { places: [], width: 0, depth: 0 });
});

// The demo's five: cable robot, platform, submarine, truck, arm. The oracle projects the grounds by itself, as an eye far
// away sees them.
test('the machines of the demo fill the picture, whatever its shape', () => {
  const grounds = [1.3, 2.6, 7.35, 12, 1.5];
  for (const shape of [0.5, 0.85, 1.4, 2.2, 3]) {
    const { places, elevation } = planFrom(grounds, shape, [false, false, true, true, false]);
    const [turn, up] = [sideways, elevation].map((degrees) => (degrees * Math.PI) / 180);
    const xs: number[] = [];
    const ys: number[] = [];
    for (const { x, y, extent } of places) {
      for (const [dx, dy, z] of [[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0], [0, 0, 0.66 * extent]] as const) {
        const [px, py] = [x + (dx * extent) / 2, y + (dy * extent) / 2];
        xs.push(px * Math.cos(turn) + py * Math.sin(turn));
        ys.push((py * Math.cos(turn) - px * Math.sin(turn)) * Math.sin(up) + z * Math.cos(up));
      }
    }
    const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    const size = Math.max(wide / shape, high); // of the picture
    const share = (wide * high) / (size * size * shape);
    assert.ok(share > 0.55, `${share.toFixed(2)} of a picture of shape ${shape}`);
    // None is drawn far smaller than another.
    const drawn = places.map(({ extent }) => extent);
    assert.ok(Math.max(...drawn) / Math.min(...drawn) < 1.5, drawn.join(' '));
  }
});

// On a laptop the view between list and drawer is higher than wide. A column of five would lean through it and leave two
// corners empty, with the last machine behind all others.
test('machines stand beside each other in a view that is higher than wide', () => {
  for (const shape of [0.63, 0.79]) {
    const { places, width, depth } = planFrom([1.3, 2.6, 7.35, 12, 1.5], shape, [false, false, true, true, false]);
    assert.ok(depth < 3 * width, `${depth.toFixed(1)} m deep and ${width.toFixed(1)} m wide for shape ${shape}`);
    assert.ok(new Set(places.map(({ x }) => x.toFixed(1))).size > 1);
  }
});

test('what is low stands in front, where it hides nothing', () => {
  const { places } = planFrom([3, 3, 3, 3], 1, [true, false, true, false]);
  assert.ok(Math.max(places[0].y, places[2].y) < Math.min(places[1].y, places[3].y));
  const part = (frame: string, size: number): Part => ({ name: '', frame, shape: 'box', size: [size, size, size], at: [0, 0, 0, 0, 0, 0, 1], color: '', opacity: 1 });
  assert.equal(isFlat({ parts: [part('world', 16), part('hull', 0.5)], ties: [], extent: 16 }), true);
  assert.equal(isFlat({ parts: [part('world', 1), part('arm', 0.6)], ties: [], extent: 1.5 }), false);
  assert.equal(isFlat({ parts: [part('platform', 0.1)], ties: [{} as Tie], extent: 2 }), false);
});

test('a label covers no machine and no other label where there is room', () => {
  const view = { left: 0, top: 50, right: 700, bottom: 600 };
  const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
  const back = box(100, 100, 300, 300);
  const front = box(150, 310, 350, 500); // right below it: no room above its own
  const size = { width: 120, height: 24 };
  const labels: Rect[] = [];
  for (const machine of [front, back]) {
    const { x, y } = placed(size, machine, [front, back], labels, [], view, 0);
    const label = box(x, y, x + size.width, y + size.height);
    for (const other of [front, back, ...labels]) assert.equal(overlap(label, other), 0, `${JSON.stringify(label)} on ${JSON.stringify(other)}`);
    assert.ok(x >= view.left && y >= view.top && label.right <= view.right && label.bottom <= view.bottom);
    labels.push(label);
  }
  // It stays where it is for a place that is hardly better.
  assert.equal(placed(size, back, [back], [], [], view, 1).at, 1);
  assert.equal(placed(size, back, [back, box(0, 290, 700, 340)], [], [], view, 1).at, 0);
});

test('machines of far other sizes are drawn nearer to the middle one', () => {
  assert.deepEqual(scalesFrom([4, 12, 1.3, 5]), [1, 0.4, 4, 1]);
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
