// Where each machine stands: side by side on one ground in rows, the wide ones behind, so that nothing hides a small one.
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
}

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

// How much larger than true each machine is drawn. A table-top arm beside a sea floor would be a few pixels wide: what
// is far smaller or larger than the middle one is brought nearer to it, in steps that can be told in a label.
export function scalesFrom(extents: readonly number[]): number[] {
  const sorted = [...extents].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return extents.map((extent) => {
    const wish = Math.min(Math.max((middle / extent) ** 0.75, 0.2), 4);
    return wish > 1.25 ? Math.round(2 * wish) / 2 : wish < 0.3 ? 0.25 : wish < 0.75 ? 0.5 : 1;
  });
}

// `wide`: how much wider than deep the whole shall be.
export function planFrom(extents: readonly number[], wide = 2): Plan {
  const trues = extents.map((extent) => (Number.isFinite(extent) && extent > 0 ? extent : 1));
  const scales = scalesFrom(trues);
  const sane = trues.map((extent, i) => extent * scales[i]);
  const order = sane.map((_, i) => i).sort((a, b) => sane[b] - sane[a] || a - b);
  const gap = 0.06 * Math.max(...sane, 0);
  const { rows, widths, depths, depth, width } = rowsOf(order, sane, gap, wide);
  const places: Place[] = sane.map((extent, i) => ({ x: 0, y: 0, extent, scale: scales[i] }));
  let back = depth / 2; // the first row stands furthest away
  rows.forEach((row, r) => {
    // What a row has to spare goes between its machines.
    const spare = row.length > 1 ? Math.min((width - widths[r]) / row.length, 4 * gap) : 0;
    let left = -(widths[r] + spare * (row.length - 1)) / 2;
    for (const i of row) {
      // The front edges of a row are in line, towards whoever looks.
      places[i].x = left + sane[i] / 2;
      places[i].y = back - depths[r] + sane[i] / 2;
      left += sane[i] + gap + spare;
    }
    back -= depths[r] + gap;
  });
  return { places, width, depth };
}

// The rows that fill a picture of the wanted shape best: for each number of machines in the first row, the others
// follow in rows that are no wider.
function rowsOf(order: number[], extents: number[], gap: number, wide: number) {
  let best = measured([order], extents, gap);
  let least = Infinity;
  for (let first = 1; first <= order.length; ++first) {
    const most = order.slice(0, first).reduce((sum, i) => sum + extents[i] + gap, 0) + 1e-9;
    const rows: number[][] = [];
    let width = Infinity;
    for (const i of order) {
      if (width + extents[i] + gap > most) {
        rows.push([]);
        width = 0;
      }
      rows[rows.length - 1].push(i);
      width += extents[i] + gap;
    }
    const plan = measured(rows, extents, gap);
    const cost = Math.max(plan.width, wide * plan.depth);
    if (cost < least) [best, least] = [plan, cost];
  }
  return best;
}

function measured(rows: number[][], extents: number[], gap: number) {
  const widths = rows.map((row) => row.reduce((sum, i) => sum + extents[i], 0) + gap * Math.max(0, row.length - 1));
  const depths = rows.map((row) => Math.max(0, ...row.map((i) => extents[i])));
  const depth = depths.reduce((sum, d) => sum + d, 0) + gap * Math.max(0, rows.length - 1);
  return { rows, widths, depths, depth, width: Math.max(0, ...widths) };
}
