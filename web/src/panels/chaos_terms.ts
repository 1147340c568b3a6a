// SPDX-License-Identifier: Apache-2.0
// What the sliders of faults mean, as the terms of `tandem chaos`. Pure.

export interface Fault {
  readonly name: string; // of the term
  readonly label: string;
  readonly steps: readonly string[]; // values of the term with their units; the first one is none
}

export const slid: readonly Fault[] = [
  { name: 'delay', label: 'Delay', steps: ['', '5ms', '10ms', '20ms', '50ms', '100ms', '200ms', '500ms'] },
  { name: 'jitter', label: 'Jitter', steps: ['', '5ms', '10ms', '20ms', '50ms', '100ms', '200ms'] },
  { name: 'loss', label: 'Loss', steps: ['', '0.1%', '0.5%', '1%', '2%', '5%', '10%', '20%', '50%'] },
  { name: 'duplicate', label: 'Duplicate', steps: ['', '0.1%', '1%', '5%', '20%', '50%'] },
  { name: 'reorder', label: 'Reorder (UDP)', steps: ['', '0.1%', '1%', '5%', '20%', '50%'] },
  { name: 'corrupt', label: 'Corrupt bytes', steps: ['', '1e-6', '1e-5', '1e-4', '1e-3'] },
  { name: 'slice', label: 'Bytes per write (TCP)', steps: ['', '1000', '100', '20', '7', '3', '1'] },
  { name: 'rate', label: 'Bandwidth', steps: ['', '100kB/s', '50kB/s', '20kB/s', '10kB/s', '5kB/s', '2kB/s', '1kB/s'] },
];

export const lengths = ['1s', '2s', '5s', '10s', '30s', '60s'] as const;
export const directions = ['both', 'device', 'client'] as const;
export type Length = (typeof lengths)[number];
export type Direction = (typeof directions)[number];

export type Button = 'blackhole' | 'hold' | 'reset' | 'half-open' | ''; // '': what is slid

export interface Chosen {
  steps: readonly number[]; // one for each of `slid`
  length: Length;
  direction: Direction;
  seed: string; // digits; empty: the program draws one
}

// Whether something is done to the link now; `chaos` is empty without fault proxies.
export function faultsOn({ chaos }: { chaos?: string }): boolean {
  return chaos !== undefined && chaos !== '' && chaos !== 'ready';
}

// A button in the place of what is slid; '' where nothing is set.
export function termsOf(chosen: Chosen, button: Button = ''): string {
  const faults = button !== '' ? [button] : slid.flatMap(({ name, steps }, at) => (steps[chosen.steps[at] ?? 0] ? [`${name}=${steps[chosen.steps[at] ?? 0]}`] : []));
  if (faults.length === 0) return '';
  const once = button === 'reset' || button === 'half-open';
  // A connection is half closed in one direction; without a choice it is that of the answers.
  if (chosen.direction !== 'both') faults.push(`to=${chosen.direction}`);
  if (!once) faults.push(`for=${chosen.length}`);
  const seed = chosen.seed.trim();
  if (/^\d{1,20}$/.test(seed)) faults.push(`seed=${seed}`);
  return faults.join(' ');
}
