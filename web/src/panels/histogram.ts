// SPDX-License-Identifier: Apache-2.0
// Latency histograms on a logarithmic axis. Pure functions.

export interface Bin {
  low: number; // s
  high: number; // s
  count: number;
}

// The program's buckets (upper edges, only those that are not empty) as equal bins of the logarithm, without gaps.
export function logBins(edges: number[], counts: number[], perDecade = 8): Bin[] {
  const seen = edges
    .map((edge, at) => ({ edge, count: counts[at] ?? 0 }))
    .filter(({ edge, count }) => Number.isFinite(edge) && edge > 0 && count > 0);
  if (seen.length === 0) return [];
  // An edge that is a border of ours belongs to the bin below it, in spite of rounding.
  const place = (edge: number): number => Math.ceil(Math.log10(edge) * perDecade - 1e-9) - 1;
  const places = seen.map(({ edge }) => place(edge));
  const first = Math.min(...places);
  const last = Math.max(...places);
  if (last - first > 1000) return [];
  const bins: Bin[] = [];
  for (let at = first; at <= last; at += 1)
    bins.push({ low: 10 ** (at / perDecade), high: 10 ** ((at + 1) / perDecade), count: 0 });
  seen.forEach(({ count }, at) => {
    const bin = bins[(places[at] ?? first) - first];
    if (bin !== undefined) bin.count += count;
  });
  return bins;
}

// The upper edge below which this share of all samples lies; NaN without samples.
export function quantile(edges: number[], counts: number[], share: number): number {
  const order = edges.map((_, at) => at).sort((a, b) => (edges[a] ?? 0) - (edges[b] ?? 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  for (const at of order) {
    below += counts[at] ?? 0;
    if (total > 0 && below >= share * total) return edges[at] ?? NaN;
  }
  return NaN;
}

// How high a bar stands, 0 to 1: on a logarithmic scale, so that the one late sample in a million is seen too.
export function barHeight(count: number, most: number): number {
  if (count <= 0 || most <= 0) return 0;
  return (Math.log10(count) + 0.6) / (Math.log10(most) + 0.6);
}

// The powers of ten from low to high, both within.
export function decades(low: number, high: number): number[] {
  const marks: number[] = [];
  const last = Math.floor(Math.log10(high) + 1e-9);
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= last; power += 1) marks.push(10 ** power);
  return marks;
}
