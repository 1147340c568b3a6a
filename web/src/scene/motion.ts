// SPDX-License-Identifier: Apache-2.0
// Motion between two pictures: a machine goes from where it is shown to where the newest picture says it is, within
// one picture's interval. Never beyond: what is not known is not drawn.

const stride = 7; // x y z qx qy qz qw
const shortest = 1 / 240; // s
const longest = 0.25; // s: pictures further apart than this are jumps in time, not motion

export class Motion {
  readonly shown: Float64Array;
  readonly missing: boolean[] = []; // by frame: not known just now
  private from: Float64Array;
  private to: Float64Array;
  private began = 0; // s, the page's clock
  private lasts = 0; // s
  private stamp = Number.NaN; // of the newest picture, s
  private known = false;

  constructor(readonly frames: number) {
    this.shown = new Float64Array(stride * frames);
    this.from = new Float64Array(stride * frames);
    this.to = new Float64Array(stride * frames);
    for (let i = 0; i < frames; ++i) this.shown[stride * i + 6] = this.to[stride * i + 6] = 1;
  }

  // A new picture: `stamp` is the program's clock, `now` the page's. A wrong length is refused; a frame with a number
  // that is none stays where it was and is missing.
  aim(told: ArrayLike<number | null>, stamp: number, now: number, smooth: boolean): boolean {
    if (told.length !== this.shown.length) return false;
    const poses = Float64Array.from(told, (number) => number ?? Number.NaN);
    for (let i = 0; i < this.frames; ++i) {
      const pose = poses.subarray(stride * i, stride * (i + 1));
      this.missing[i] = !pose.every(Number.isFinite);
      if (this.missing[i]) pose.set(this.to.subarray(stride * i, stride * (i + 1)));
    }
    const rests = this.known && this.lasts === 0 && near(poses, this.shown);
    const interval = stamp - this.stamp;
    const jump = !this.known || !(interval > 0) || interval > longest || !smooth;
    this.stamp = stamp;
    this.known = true;
    if (rests) return true;
    this.to.set(poses);
    this.began = now;
    this.lasts = jump ? 0 : Math.max(interval, shortest);
    this.from.set(jump ? this.to : this.shown);
    return true;
  }

  // Where it shall be: nothing to draw.
  get rests(): boolean {
    return this.lasts === 0 && near(this.to, this.shown);
  }

  // What was known is over: the next picture is shown where it is, without a way to it.
  forget(): void {
    this.known = false;
  }

  // Moves `shown` on to `now`. False: it is where it shall be.
  advance(now: number): boolean {
    const share = this.lasts > 0 ? Math.min(Math.max((now - this.began) / this.lasts, 0), 1) : 1;
    for (let i = 0; i < this.shown.length; i += stride) between(this.from, this.to, share, i, this.shown);
    if (share < 1) return true;
    this.lasts = 0;
    return false;
  }
}

// No eye can tell them apart.
function near(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; ++i) if (Math.abs(a[i] - b[i]) > 2e-6) return false;
  return true;
}

// Straight for the position; for the turn a straight line too, the short way round and made a unit again: over one
// interval it cannot be told from a true turn.
export function between(from: Float64Array, to: Float64Array, share: number, at: number, out: Float64Array): void {
  for (let k = at; k < at + 3; ++k) out[k] = from[k] + (to[k] - from[k]) * share;
  let dot = 0;
  for (let k = at + 3; k < at + stride; ++k) dot += from[k] * to[k];
  const sign = dot < 0 ? -1 : 1;
  let square = 0;
  for (let k = at + 3; k < at + stride; ++k) {
    out[k] = from[k] * sign * (1 - share) + to[k] * share;
    square += out[k] * out[k];
  }
  const scale = square > 1e-12 ? 1 / Math.sqrt(square) : 0;
  for (let k = at + 3; k < at + stride; ++k) out[k] = scale > 0 ? out[k] * scale : to[k];
}
