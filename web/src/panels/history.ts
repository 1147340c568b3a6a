// SPDX-License-Identifier: Apache-2.0
// The last two minutes of every signal of every machine, so that a plot has a past when it is opened.
import type { Store } from '../store';
import { signalsOf } from './series';

export const longest = 120; // s
const scalarsEvery = 0.05; // s: pictures come at 60 Hz, plots need no more than this

export interface Track {
  name: string;
  unit: string;
  group: string;
  times: number[]; // s since the epoch
  real: (number | null)[];
  twin: (number | null)[];
}

export class History {
  private readonly machines = new Map<string, Map<string, Track>>();
  private lastPicture = 0;

  constructor(store: Store) {
    store.status.on((status) => {
      if (status === null) return;
      const now = store.picture.value?.t ?? Date.now() / 1000;
      for (const machine of status.machines) {
        const tracks = this.of(machine.name);
        const fresh = machine.state === 'live'; // what is old is no measurement: the line breaks
        for (const value of machine.values) {
          const twin = machine.twin_values.find(({ name }) => name === value.name);
          for (const signal of signalsOf(value)) {
            const real = fresh ? (value.numbers[signal.at] ?? null) : null;
            add(tracks, signal.id, signal.name, signal.unit, signal.group, now, real, twin?.numbers[signal.at] ?? null);
          }
        }
      }
    });
    store.picture.on((picture) => {
      if (picture === null || Math.abs(picture.t - this.lastPicture) < scalarsEvery) return;
      this.lastPicture = picture.t;
      for (const machine of picture.machines) {
        const scalars = store.scenes.value.find(({ name }) => name === machine.name)?.scene.scalars ?? [];
        const tracks = this.of(machine.name);
        scalars.forEach((scalar, at) => {
          const real = machine.seen ? (machine.scalars[at] ?? null) : null;
          const twin = machine.twin_scalars?.[at] ?? null;
          add(tracks, `picture/${scalar.name}`, scalar.name, scalar.unit, 'picture', picture.t, real, twin);
        });
      }
    });
  }

  of(machine: string): Map<string, Track> {
    let tracks = this.machines.get(machine);
    if (tracks === undefined) {
      tracks = new Map();
      this.machines.set(machine, tracks);
    }
    return tracks;
  }
}

function add(
  tracks: Map<string, Track>,
  id: string,
  name: string,
  unit: string,
  group: string,
  now: number,
  real: number | null,
  twin: number | null,
): void {
  let track = tracks.get(id);
  if (track === undefined) {
    track = { name, unit, group, times: [], real: [], twin: [] };
    tracks.set(id, track);
  }
  // A replay that is sought back begins anew.
  const last = track.times.at(-1) ?? -Infinity;
  if (now < last - 1) track.times.length = track.real.length = track.twin.length = 0;
  else if (now <= last) return;
  track.times.push(now);
  track.real.push(real);
  track.twin.push(twin);
  // Cut rarely: moving a long list at every sample costs more than keeping some of it a little longer.
  const first = track.times[0] ?? now;
  if (now - first > longest * 1.25) {
    const from = track.times.findIndex((time) => now - time <= longest);
    track.times.splice(0, from);
    track.real.splice(0, from);
    track.twin.splice(0, from);
  }
}

// The samples from `from` on, of several tracks on one common time: a sample that a track lacks is undefined there,
// which a plot bridges, and null where nothing was measured, which breaks the line.
export function joined(tracks: Track[], from: number, withTwin: boolean): (number | null | undefined)[][] {
  const times = [...new Set(tracks.flatMap((track) => track.times.slice(firstAt(track.times, from))))].sort((a, b) => a - b);
  const place = new Map(times.map((time, at) => [time, at]));
  const columns: (number | null | undefined)[][] = [times];
  for (const track of tracks) {
    const start = firstAt(track.times, from);
    for (const values of withTwin ? [track.real, track.twin] : [track.real]) {
      const column: (number | null | undefined)[] = new Array(times.length).fill(undefined);
      for (let at = start; at < track.times.length; at += 1) column[place.get(track.times[at] ?? 0) ?? 0] = values[at];
      columns.push(column);
    }
  }
  return columns;
}

function firstAt(times: number[], from: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
