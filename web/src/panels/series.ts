// SPDX-License-Identifier: Apache-2.0
// The numbers of a machine as named signals, by the names that the machine gives them. Pure functions.
import type { Value } from '../store';

export interface Signal {
  id: string; // "pose/2", the same for the machine and its twin
  group: string; // "pose"
  name: string; // "pose z"
  unit: string;
  at: number; // which number of the value
}

// For values without names of their own, as in older recordings.
const poses: Record<number, string[]> = {
  3: ['x', 'y', 'yaw'],
  6: ['x', 'y', 'z', 'roll', 'pitch', 'yaw'],
  7: ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'],
};

export function signalsOf(value: Value): Signal[] {
  const size = value.numbers.length;
  const names = value.parts?.length === size ? value.parts.map((part) => `${value.name} ${part}`) : partNames(value.name, size);
  return value.numbers.map((_, at) => ({
    id: `${value.name}/${at}`,
    group: value.name,
    name: names[at] ?? `${value.name} ${at + 1}`,
    unit: unitAt(value.unit, at, size),
    at,
  }));
}

function partNames(name: string, size: number): string[] {
  if (size === 1) return [name];
  const parts = name.split(',').map((part) => part.trim());
  if (parts.length === size) return parts;
  // The tool of an arm by Universal Robots: its orientation is a rotation vector.
  if (name === 'tool pose' && size === 6) return ['x', 'y', 'z', 'rx', 'ry', 'rz'].map((part) => `${name} ${part}`);
  const known = /pose/.test(name) ? poses[size] : undefined;
  if (known !== undefined) return known.map((part) => `${name} ${part}`);
  if (size === 3 && /velocity|position|force/.test(name)) return ['x', 'y', 'z'].map((part) => `${name} ${part}`);
  return [];
}

// "m, rad" of six numbers is three of metres and three of radians; of three, two and one; of two, one each.
export function unitAt(unit: string, at: number, size: number): string {
  const units = unit.split(',').map((part) => part.trim());
  const first = units[0] ?? '';
  if (units.length === 1) return first;
  if (units.length === size) return units[at] ?? '';
  const second = units[1] ?? '';
  const lengths = size === 6 || size === 7 ? 3 : size - 1;
  if (at < lengths) return first;
  return second === 'quaternion' ? '' : second;
}
