// SPDX-License-Identifier: Apache-2.0
// Where a label goes: beside its machine, over no machine and no other label if there is such a place. Pure functions.

export interface Rect {
  left: number; // px
  top: number;
  right: number;
  bottom: number;
}

const margin = 4; // px between a machine and its name
const worthIt = 150; // px²: a label that stands moves for a place that is better by more than this

// The upper left corner of a label of this size, and which of its places that is; `before` is the one it has now.
export function placed(
  { width, height }: { width: number; height: number },
  machine: Rect,
  machines: readonly Rect[],
  labels: readonly Rect[],
  grounds: readonly Rect[], // covered rather than a machine or a label
  free: Rect,
  before: number,
): { x: number; y: number; at: number } {
  const places = placesOf(machine, width, height).map(([x, y], at) => {
    const inX = clamp(x, free.left, free.right - width);
    const inY = clamp(y, free.top, free.bottom - height);
    const rect = { left: inX, top: inY, right: inX + width, bottom: inY + height };
    const hidden = machines.reduce((sum, other) => sum + overlap(rect, other), 0);
    const onLabels = labels.reduce((sum, other) => sum + overlap(rect, other), 0);
    const onGround = grounds.reduce((sum, other) => sum + overlap(rect, other), 0);
    // A name that is moved back into the picture is further from its machine.
    const moved = Math.abs(inX - x) + Math.abs(inY - y);
    return { x: inX, y: inY, at, cost: hidden + 4 * onLabels + 0.2 * onGround + 2 * moved + at - (at === before ? worthIt : 0) };
  });
  return places.reduce((best, place) => (place.cost < best.cost ? place : best));
}

// Above, below, then at the sides and corners.
function placesOf({ left, top, right, bottom }: Rect, width: number, height: number): [number, number][] {
  const middle = (left + right - width) / 2;
  const [above, below] = [top - height - margin, bottom + margin];
  return [
    [middle, above],
    [middle, below],
    [right - width, above],
    [left, above],
    [left, below],
    [right - width, below],
    [right + margin, top],
    [left - width - margin, top],
    [right + margin, bottom - height],
    [left - width - margin, bottom - height],
  ];
}

export function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
