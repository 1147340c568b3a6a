// SPDX-License-Identifier: Apache-2.0
// Sends what a person holds, sets and presses. A held jog is a dead man's switch: ten messages a second while it is
// held, one with its rest when it is let go, and then none.
import type { Control, Json } from '../store';
import { messageOf } from './control_message';

export const jogEvery = 100; // ms

export interface Wires {
  publish(topic: string, type: string, message: Json): boolean; // false: not delivered
  allowed(): boolean; // connected, may control, live and armed
  changed(): void; // what is held or set is another
  now(): number; // ms
  every(ms: number, act: () => void): () => void; // gives back what ends it
}

// A group whose sliders keep what a person gave them.
interface Touched {
  held: boolean; // one of them is being slid and was not let go
  since: number; // ms: when it was last touched, or the machine last moved along it
  places: number[]; // where the machine was then
}

const settled = 3000; // ms that a machine stands before its sliders follow it again
const moved = 0.002; // of a slider's range

export class Drive {
  private readonly held = new Set<Control>();
  private readonly set = new Map<Control, number>();
  private readonly touched = new Map<Control[], Touched>(); // groups that a person has set; the others follow the machine
  private readonly clocks = new Map<Control[], () => void>(); // groups that are being jogged

  constructor(private readonly wires: Wires) {}

  holds(control: Control): boolean {
    return this.held.has(control);
  }

  value(control: Control): number {
    return this.set.get(control) ?? control.value;
  }

  follows(group: Control[]): boolean {
    return !this.touched.has(group);
  }

  // The machine is here now: a slider that nobody has touched stands there, so that the first message of its group
  // moves along the one axis that was slid.
  follow(group: Control[], control: Control, value: number): void {
    if (this.follows(group)) this.set.set(control, value);
  }

  // From now on the sliders of the group keep what they stand at.
  touch(group: Control[], held = true): void {
    this.touched.set(group, { held, since: this.wires.now(), places: this.touched.get(group)?.places ?? [] });
  }

  // Where the machine is along each slider of a group that was set. Once it stands, by the set point or since that was
  // refused or somebody else moved it, the sliders follow again: the next message must not bring back an old place.
  stand(group: Control[], places: number[]): void {
    const touched = this.touched.get(group);
    if (touched === undefined || touched.held) return;
    const sliders = group.filter(({ kind }) => kind === 'slider');
    const moves = sliders.some(({ low, high }, i) => !(Math.abs(places[i] - touched.places[i]) <= moved * (high - low)));
    if (moves) this.touched.set(group, { held: false, since: this.wires.now(), places });
    else if (this.wires.now() - touched.since >= settled) this.touched.delete(group);
  }

  // What was set no longer holds, and where the machine is has to be heard first.
  followAnew(): void {
    this.touched.clear();
    this.set.clear();
  }

  // Whether a slider may be let go: all others of its group leave with it, and must not jump to where nothing is.
  ready(group: Control[], control: Control): boolean {
    return group.every((other) => other === control || other.kind !== 'slider' || this.set.has(other));
  }

  // False: nothing begins, as it may not or would not arrive.
  hold(group: Control[], control: Control): boolean {
    if (!this.wires.allowed()) return false;
    if (this.held.has(control)) return true;
    this.held.add(control);
    this.leaveSetPoints(group);
    if (!this.send(group)) {
      this.held.delete(control);
      return false;
    }
    if (!this.clocks.has(group)) this.clocks.set(group, this.wires.every(jogEvery, () => this.again(group)));
    this.wires.changed();
    return true;
  }

  release(group: Control[], control: Control): void {
    if (!this.held.delete(control)) return;
    this.send(group);
    if (!group.some((one) => this.held.has(one))) this.endClock(group);
    this.wires.changed();
  }

  // Lets everything go: blur, hidden page, lost link, stop. Rest is said once where something was held; a slider that
  // was not let go is left without a word, and its group follows the machine again.
  releaseAll(): void {
    const slid = [...this.touched].filter(([, { held }]) => held).map(([group]) => group);
    if (this.held.size === 0 && slid.length === 0) return;
    this.held.clear();
    for (const group of [...this.clocks.keys()]) {
      this.send(group);
      this.endClock(group);
    }
    for (const group of slid) this.touched.delete(group);
    this.wires.changed();
  }

  // A slider that is being slid is given up.
  leave(group: Control[]): void {
    if (this.touched.delete(group)) this.wires.changed();
  }

  slide(group: Control[], control: Control, value: number): boolean {
    this.touch(group, false);
    if (!this.ready(group, control)) return false;
    this.set.set(control, value);
    return this.wires.allowed() && this.send(group);
  }

  // A jog takes the machine from where its other groups had set it.
  private leaveSetPoints(jogged: Control[]): void {
    for (const [group, { held }] of this.touched) if (group !== jogged && !held) this.touched.delete(group);
  }

  press(group: Control[], control: Control): boolean {
    if (!this.wires.allowed()) return false;
    return this.wires.publish(control.topic, control.type, messageOf(group, { held: this.held, set: this.set }, control));
  }

  private again(group: Control[]): void {
    if (!this.wires.allowed() || !this.send(group)) this.releaseAll();
  }

  private send(group: Control[]): boolean {
    const first = group[0];
    if (first === undefined) return false;
    return this.wires.publish(first.topic, first.type, messageOf(group, { held: this.held, set: this.set }));
  }

  private endClock(group: Control[]): void {
    this.clocks.get(group)?.();
    this.clocks.delete(group);
  }
}
