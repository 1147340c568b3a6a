// SPDX-License-Identifier: Apache-2.0
// Parameters as text and back. Pure functions.
import type { Json, Parameter } from '../store';

export function parameterText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type Parsed = { ok: true; value: Json } | { ok: false; error: string };

// The text as a value of the same kind as before; what is wrong with it otherwise.
export function parseParameter(text: string, before: Json | undefined): Parsed {
  const trimmed = text.trim();
  if (typeof before === 'string') return { ok: true, value: text };
  if (typeof before === 'number') {
    const value = Number(trimmed.replace('−', '-'));
    if (trimmed === '' || !Number.isFinite(value)) return { ok: false, error: `Expected a number like ${before}, got "${text}".` };
    return { ok: true, value };
  }
  if (typeof before === 'boolean') {
    if (trimmed !== 'true' && trimmed !== 'false') return { ok: false, error: 'Expected true or false.' };
    return { ok: true, value: trimmed === 'true' };
  }
  try {
    const value = JSON.parse(trimmed) as Json;
    if (Array.isArray(before) && !Array.isArray(value)) return { ok: false, error: 'Expected a list like [1, 2, 3].' };
    return { ok: true, value };
  } catch {
    return { ok: false, error: Array.isArray(before) ? 'Expected a list like [1, 2, 3].' : 'Expected JSON.' };
  }
}

// "/node.some.name" in its two parts.
export function splitName(name: string): { node: string; parameter: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { node: '', parameter: name } : { node: name.slice(0, dot), parameter: name.slice(dot + 1) };
}

// Those of one node, by name.
export function ownOf(parameters: Iterable<Parameter>, node: string): Parameter[] {
  if (node === '') return [];
  return [...parameters].filter(({ name }) => splitName(name).node === node).sort((a, b) => a.name.localeCompare(b.name));
}

export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  return JSON.stringify(a) === JSON.stringify(b);
}
