// SPDX-License-Identifier: Apache-2.0
// Turns what a person holds and sets into the one message of a group of controls. Pure functions.
import type { Control, Json, MachineStatus, PictureMachine, Scene } from '../store';

// What the controls of one group stand at.
export interface GroupState {
  held: ReadonlySet<Control>; // jogs that are held down
  set: ReadonlyMap<Control, number>; // sliders
}

// Controls that leave together in one message, in the order of their first. One without a group is alone.
export function groupsOf(controls: Control[]): Control[][] {
  const groups = new Map<string, Control[]>();
  controls.forEach((control, at) => {
    const key = control.group === '' ? `\u0000${at}` : `${control.topic}\u0000${control.group}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [control]);
    else known.push(control);
  });
  return [...groups.values()];
}

// The message of a group: sliders at their value, held jogs at theirs, all others at rest. Jogs that share a field
// add up, so that forward and back together are rest.
export function messageOf(group: Control[], state: GroupState, pressed?: Control): Json {
  let message: Json = structuredClone((group[0]?.message ?? {}) as Json);
  const numbers = new Map<string, number>();
  for (const control of group) {
    if (control.kind === 'slider') numbers.set(control.field, state.set.get(control) ?? control.value);
    else if (control.kind === 'jog' && !numbers.has(control.field)) numbers.set(control.field, control.rest);
  }
  for (const control of group) {
    if (control.kind !== 'jog' || !state.held.has(control)) continue;
    const sum = (numbers.get(control.field) ?? control.rest) + control.value - control.rest;
    numbers.set(control.field, clamp(sum, control.low, control.high));
  }
  // A button may have a message of its own, and says its value last.
  if (pressed !== undefined) {
    message = structuredClone((pressed.message ?? {}) as Json);
    numbers.set(pressed.field, pressed.value);
  }
  for (const [field, value] of numbers) {
    const control = pressed?.field === field ? pressed : group.find((one) => one.field === field);
    message = putAt(message, field, sentOf(control, value));
  }
  return message;
}

// What is shown in the machine's unit leaves in that of its topic.
function sentOf(control: Control | undefined, value: number): number | boolean {
  return control?.flag === true ? value !== 0 : value * (control?.scale ?? 1) + (control?.offset ?? 0);
}

// Where the machine is along a control that sets a place: the value that it names, else what its value of the group's name says ("data.2" of the group
// "joints" is the third of them), else the position of its main frame in its own world. Undefined: the control sets
// something else, or the place is not known.
export function placeOf(control: Control, scene: Scene, picture: PictureMachine | undefined, status?: MachineStatus): number | undefined {
  if (control.shows !== undefined && control.shows !== '') {
    const shown = status?.values.find(({ name }) => name === control.shows);
    return status?.quality === 'live' ? (shown?.numbers[0] ?? undefined) : undefined;
  }
  const axis = /(?:^|\.)position\.([xyz])$/.exec(control.field)?.[1];
  const value = control.group === '' ? undefined : status?.values.find(({ name }) => name === control.group);
  if (value !== undefined && value.unit.split(', ')[0] === control.unit) {
    const index = axis === undefined ? /(?:^|\.)(\d+)$/.exec(control.field)?.[1] : 'xyz'.indexOf(axis);
    return status?.quality === 'live' && index !== undefined ? (value.numbers[Number(index)] ?? undefined) : undefined;
  }
  const frame = scene.frames.indexOf(scene.main_frame);
  if (axis === undefined || frame < 0 || !picture?.seen) return undefined;
  return picture.frames[7 * frame + 'xyz'.indexOf(axis)] ?? undefined;
}

// The same tree with a number at the path "linear.x" or "data.2". Missing objects and lists are made; steps that
// would reach outside of plain data are refused.
export function putAt(tree: Json, field: string, value: number | boolean): Json {
  if (field === '') return tree;
  const steps = field.split('.');
  if (steps.some((step) => step === '__proto__' || step === 'constructor' || step === 'prototype')) return tree;
  return put(tree, steps, value);
}

function put(tree: Json, steps: string[], value: number | boolean): Json {
  const step = steps[0];
  if (step === undefined) return value;
  const rest = steps.slice(1);
  if (/^\d+$/.test(step) && (Array.isArray(tree) || tree === null || tree === undefined)) {
    const list: Json[] = Array.isArray(tree) ? [...tree] : [];
    const at = Math.min(Number(step), 4096);
    while (list.length <= at) list.push(0);
    list[at] = put(rest.length === 0 ? 0 : objectOrList(list[at]), rest, value);
    return list;
  }
  const object = typeof tree === 'object' && tree !== null && !Array.isArray(tree) ? { ...tree } : {};
  object[step] = put(object[step] ?? null, rest, value);
  return object;
}

function objectOrList(tree: Json | undefined): Json {
  return typeof tree === 'object' ? tree : null;
}

// A jog beyond its own end: its limits may be given from either side.
function clamp(value: number, a: number, b: number): number {
  return Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b));
}
