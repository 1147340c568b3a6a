// SPDX-License-Identifier: Apache-2.0
// Where each machine stands: side by side on one ground in rows, the high and wide ones behind, so that nothing hides a
// small one.
import type { Part, Scene } from '../wire';

export interface Place {
  x: number;
  y: number;
  extent: number; // of the ground it takes here
  scale: number; // how much larger than true it is drawn
}

export interface Plan {
  places: Place[]; // in the order given
  width: number; // along x
  depth: number; // along y
  elevation: number; // degrees, to look at it from
}

export const sideways = 14; // degrees from straight ahead, to look at it from
export const fieldOfView = 32; // degrees, of the picture's height
const slope = Math.tan((fieldOfView * Math.PI) / 360); // half the picture's height over the distance

// The ground that a machine is given, m: as wide as what stands in its world, without the free ground around it. What
// stands on nothing and drives about gets all the room for that, or it would drive through its neighbours.
export function groundOf({ parts, ties, extent }: Pick<Scene, 'parts' | 'ties' | 'extent'>): number {
  let fixed = 0;
  let body = 0;
  for (const part of parts) {
    if (part.shape === 'line' || part.shape === 'cloud' || part.layer_off) continue;
    if (part.frame === 'world') fixed = Math.max(fixed, reachOf(part));
    else body = Math.max(body, reachOf(part));
  }
  for (const { from, from_point: [x, y] } of ties) if (from === 'world') fixed = Math.max(fixed, Math.abs(x), Math.abs(y));
  const least = fixed > 0 ? 2.1 * Math.max(fixed, body) : body > 0 ? extent : 0;
  return Math.min(Math.max(least, 0.2 * extent) || extent, 1.1 * extent);
}

// How far a part reaches from its frame's axis along x or y.
function reachOf({ shape, size, at, points }: Part): number {
  const [x = 0, y = 0] = at;
  if (points && points.length > 0) return points.reduce((most, v, i) => (i % 3 === 2 ? most : Math.max(most, Math.abs(v))), 0) + Math.max(Math.abs(x), Math.abs(y));
  const [a = 0, b = 0] = size;
  const upright = Math.hypot(at[3] ?? 0, at[4] ?? 0) < 0.1;
  const round = shape !== 'box';
  const half = upright ? (round ? [a, a] : [a / 2, b / 2]) : Array(2).fill(round ? Math.max(a, b / 2) : Math.max(...size) / 2);
  return Math.max(Math.abs(x) + half[0], Math.abs(y) + half[1]);
}

// For each scene the one on whose ground it stands; -1: it has a ground to itself.
export function hostsOf(scenes: readonly { name: string; scene: Pick<Scene, 'ground'> }[]): number[] {
  return scenes.map(({ name, scene }) => {
    const host = scene.ground ? scenes.findIndex((other) => other.name === scene.ground) : -1;
    return host >= 0 && scenes[host].name !== name && !scenes[host].scene.ground ? host : -1;
  });
}

// How much larger than true each machine is drawn. A table-top arm beside a sea floor would be a few pixels wide: each is
// brought near the size of the middle one, in steps that can be told in a label.
const steps = [0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 2.5, 3, 4];

export function scalesFrom(extents: readonly number[]): number[] {
  const sorted = [...extents].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return extents.map((extent) => {
    const wish = middle / extent;
    if (wish > 0.7 && wish < 1.35) return 1;
    return steps.reduce((best, step) => (Math.abs(Math.log(step / wish)) < Math.abs(Math.log(best / wish)) ? step : best));
  });
}

// Whether it is low for the ground it takes, as what drives about on it is: it hides nothing behind it.
export function isFlat({ parts, ties, extent }: Pick<Scene, 'parts' | 'ties' | 'extent'>): boolean {
  const body = parts.reduce((most, part) => (part.frame === 'world' ? most : Math.max(most, reachOf(part))), 0);
  return ties.length === 0 && body < 0.16 * extent;
}

// `shape`: width over height of the picture that the whole shall fill; `flat`: which of them stand in front.
export function planFrom(extents: readonly number[], shape = 2, flat: readonly boolean[] = []): Plan {
  const trues = extents.map((extent) => (Number.isFinite(extent) && extent > 0 ? extent : 1));
  const scales = scalesFrom(trues);
  const sane = trues.map((extent, i) => extent * scales[i]);
  const order = sane.map((_, i) => i).sort((a, b) => Number(flat[a] ?? false) - Number(flat[b] ?? false) || sane[b] - sane[a] || a - b);
  const largest = Math.max(...sane, 0);
  const gap = 0.06 * largest;
  const aisle = 0.16 * largest; // between rows: names stand there
  const { rows, elevation } = bestRows(order, sane, gap, aisle, shape);
  const { spots, width, depth } = placedIn(rows, sane, gap, aisle);
  return { places: spots.map((spot, i) => ({ ...spot, extent: sane[i], scale: scales[i] })), width, depth, elevation };
}

// The middle of each machine's ground. The first row stands furthest away.
function placedIn(rows: number[][], extents: number[], gap: number, aisle: number) {
  const { widths, depths, depth, width } = measured(rows, extents, gap, aisle);
  const spots = extents.map(() => ({ x: 0, y: 0 }));
  let back = depth / 2;
  rows.forEach((row, r) => {
    // What a row has to spare goes between its machines.
    const spare = row.length > 1 ? Math.min((width - widths[r]) / row.length, 4 * gap) : 0;
    let left = -(widths[r] + spare * (row.length - 1)) / 2;
    for (const i of row) {
      // The front edges of a row are in line, towards whoever looks.
      spots[i] = { x: left + extents[i] / 2, y: back - depths[r] + extents[i] / 2 };
      left += extents[i] + gap + spare;
    }
    back -= depths[r] + aisle;
  });
  return { spots, width, depth };
}

// The rows, and the height to look from, by which the machines are largest in a picture of the wanted shape.
function bestRows(order: number[], extents: number[], gap: number, aisle: number, shape: number) {
  let best = { rows: [order], elevation: lowest };
  let most = -Infinity;
  for (const rows of rowings(order)) {
    const { spots } = placedIn(rows, extents, gap, aisle);
    for (let elevation = lowest; elevation <= highest; elevation += 4) {
      // Seen from higher up machines hide less of each other, and look less like themselves.
      const size = sizeIn(spots, extents, elevation, shape) / (1 + 0.006 * (elevation - lowest));
      if (size > most) [best, most] = [{ rows, elevation }, size];
    }
  }
  return best;
}

// All ways to cut the order into rows; of many machines those whose rows have the same number of them.
function rowings(order: number[]): number[][][] {
  if (order.length > 8) return order.map((_, i) => chunks(order, i + 1));
  const ways: number[][][] = [];
  for (let cuts = 0; cuts < 2 ** Math.max(0, order.length - 1); ++cuts) {
    const rows: number[][] = [[]];
    order.forEach((machine, i) => {
      if (i > 0 && cuts & (1 << (i - 1))) rows.push([]);
      rows[rows.length - 1].push(machine);
    });
    ways.push(rows);
  }
  return ways;
}

function chunks(order: number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(order.length / size) }, (_, i) => order.slice(i * size, (i + 1) * size));
}

const lowest = 26; // degrees
const highest = 46;

// How large the smallest machine is in a picture that all of them just fit in, as a part of the picture's height. Near
// ones are drawn larger than far ones. A machine is about two thirds as high as it is wide.
function sizeIn(spots: readonly { x: number; y: number }[], extents: readonly number[], elevation: number, shape: number): number {
  if (spots.length === 0) return 0;
  const [up, turn] = [elevation, sideways].map((degrees) => (degrees * Math.PI) / 180);
  const [cosUp, sinUp, cosTurn, sinTurn] = [Math.cos(up), Math.sin(up), Math.cos(turn), Math.sin(turn)];
  // Of a point: to the right and up in the picture, and towards the eye.
  const seen = (x: number, y: number, z: number) => {
    const ahead = y * cosTurn - x * sinTurn;
    return [x * cosTurn + y * sinTurn, ahead * sinUp + z * cosUp, z * sinUp - ahead * cosUp] as const;
  };
  const most = [-Infinity, -Infinity, -Infinity, -Infinity]; // right, left, above, below: how far away the eye has to be
  const slopes = [slope * shape, slope];
  spots.forEach(({ x, y }, i) => {
    const e = extents[i];
    for (let corner = 0; corner < 8; ++corner) {
      const [right, above, near] = seen(x + (corner & 1 ? e : -e) / 2, y + (corner & 2 ? e : -e) / 2, corner & 4 ? 0.66 * e : 0);
      most[0] = Math.max(most[0], right + slopes[0] * near);
      most[1] = Math.max(most[1], slopes[0] * near - right);
      most[2] = Math.max(most[2], above + slopes[1] * near);
      most[3] = Math.max(most[3], slopes[1] * near - above);
    }
  });
  const far = Math.max((most[0] + most[1]) / (2 * slopes[0]), (most[2] + most[3]) / (2 * slopes[1]));
  return Math.min(...spots.map(({ x, y }, i) => extents[i] / (far - seen(x, y, 0.33 * extents[i])[2]))) / (2 * slope);
}

function measured(rows: number[][], extents: number[], gap: number, aisle: number) {
  const widths = rows.map((row) => row.reduce((sum, i) => sum + extents[i], 0) + gap * Math.max(0, row.length - 1));
  const depths = rows.map((row) => Math.max(0, ...row.map((i) => extents[i])));
  const depth = depths.reduce((sum, d) => sum + d, 0) + aisle * Math.max(0, rows.length - 1);
  return { rows, widths, depths, depth, width: Math.max(0, ...widths) };
}
