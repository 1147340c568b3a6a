// SPDX-License-Identifier: Apache-2.0
// What the page of a fleet says, as pure functions.
import { duration } from '../panels/format';
import type { Said, Tone } from '../panels/why';
import type { Clock, Host, StopAnswer } from './wire';

export function hostWord(host: Pick<Host, 'reachable' | 'error'>): Said {
  if (host.reachable) return { word: 'Connected', tone: 'good', icon: 'check' };
  if (host.error === 'connecting') return { word: 'Connecting …', tone: 'doubt', icon: 'search' };
  return { word: 'Unreachable', tone: 'bad', icon: 'unplug' };
}

export function clockText(clock: Clock | null): string {
  if (clock === null) return 'clock unknown';
  const sign = clock.offset < 0 ? '−' : '+';
  return `clock ${sign}${duration(Math.abs(clock.offset))} ± ${duration(clock.uncertainty)}`;
}

// The whole fleet in a line.
export function fleetSum(hosts: readonly Host[]): { text: string; tone: Tone } {
  const away = hosts.filter((host) => !host.reachable).map((host) => host.name);
  const machines = hosts.flatMap((host) => host.status?.machines ?? []);
  const live = machines.filter((machine) => machine.state === 'live' && machine.quality === 'live').length;
  const text = `${hosts.length - away.length} of ${hosts.length} hosts, ${live} of ${machines.length} machines live`;
  if (away.length > 0) return { text: `${text}; unreachable: ${away.join(', ')}`, tone: 'bad' };
  return { text, tone: live === machines.length ? 'good' : 'doubt' };
}

// What came of a stop: empty when all hosts confirmed it.
export function stopTrouble(answer: StopAnswer): string {
  const missing = answer.hosts.filter((host) => !host.ok);
  if (answer.ok && missing.length === 0) return '';
  if (missing.length === 0) return 'the answer is unclear';
  return missing.map((host) => `${host.name}: ${host.text}`).join('; ');
}

// What a machine's own page says; its buttons are there and not here.
export function onItsOwnPage(why: string): string {
  return why.replace(/press (Reset, then Arm|Reset|Arm|Plug in, under Overview)/g, 'press $1 on its own page');
}

// A link is made of an address of a page only.
export function isPage(address: string): boolean {
  return /^https?:\/\/[^/?#]+$/.test(address);
}
