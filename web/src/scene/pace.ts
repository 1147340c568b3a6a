// SPDX-License-Identifier: Apache-2.0
// Counts frames, holds them back where fewer are wanted, and notices when drawing is too slow for this computer.

export class Pace {
  private times: number[] = []; // of the frames of the last second
  private slow = 0;
  private last = -1;

  constructor(private tooSlow: (() => boolean) | null) {}

  due(now: number, interval: number): boolean {
    return this.last < 0 || now - this.last >= interval - 0.004;
  }

  // `waited`: from the wish for this frame to its drawing, s. Unlike the time between frames it is short when nothing
  // moves, and long when the graphics cannot follow.
  count(now: number, waited: number): void {
    this.last = now;
    this.times.push(now);
    while (this.times[0] < now - 1) this.times.shift();
    if (!this.tooSlow) return;
    this.slow = waited > 0.1 ? this.slow + 4 : waited > 0.036 ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < 40) return;
    this.slow = 0;
    if (!this.tooSlow()) this.tooSlow = null;
  }

  fps(now: number): number {
    return this.times.filter((time) => time > now - 1).length;
  }
}
