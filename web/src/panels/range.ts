// SPDX-License-Identifier: Apache-2.0
// How much of an axis a plot shows. Pure.

// Room above and below; a constant signal stands in the middle instead of filling the plot with its noise.
export function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const least = Math.max(1e-6, 1e-4 * Math.max(Math.abs(low), Math.abs(high)));
  const pad = Math.max((high - low) * 0.08, least);
  return [low - pad, high + pad];
}
