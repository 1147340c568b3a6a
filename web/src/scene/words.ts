// SPDX-License-Identifier: Apache-2.0
// What stands beside a machine in the view: few words, the why in them.
import type { Connection, MachineStatus, Presence } from '../store';

export interface Words {
  mark: string; // a shape, so that colour is never alone
  text: string;
  calm?: boolean; // neither good nor bad: no colour
}

export function wordsFor(presence: Presence, status: MachineStatus | undefined, connection: Connection): Words {
  if (connection.state !== 'open') return { mark: '◌', text: 'old: the page is not connected' };
  if (!status) return { mark: '◌', text: 'unknown' };
  const stopped = status.moves && status.arm === 'stopped';
  switch (presence) {
    case 'absent':
      return { mark: '✕', text: `${stopped ? 'stopped; ' : ''}${absence(status)}` };
    case 'stale':
      return { mark: '◐', text: `${stopped ? 'stopped; ' : ''}stale${since(status.age)}${status.cause ? `: ${status.cause}` : ''}` };
    case 'present':
      if (connection.mode === 'replay') return recorded(status);
      return stopped ? { mark: '■', text: `stopped${status.arm_cause ? `: ${status.arm_cause}` : ''}` } : standing(status);
  }
}

function recorded({ moves, arm }: MachineStatus): Words {
  return moves ? { mark: arm === 'stopped' ? '■' : '▽', text: `was ${arm}`, calm: arm !== 'stopped' } : { mark: '', text: '' };
}

// Live, and free to move or not: one that stands still says why.
function standing({ moves, arm, arm_by }: MachineStatus): Words {
  if (!moves) return { mark: '', text: '' };
  if (arm === 'armed') return { mark: '▲', text: 'armed' };
  return { mark: '▽', text: arm_by === 'link' ? 'disarmed when its link broke; waiting for Arm' : 'not armed', calm: true };
}

function absence({ state, cause, age, unplugged }: MachineStatus): string {
  if (unplugged === true) return `unplugged${since(age)}`;
  if (state === 'faulted') return `failed${cause ? `: ${cause}` : ''}`;
  if (state === 'live' || state === 'syncing') return `position unknown${cause ? `: ${cause}` : ''}`;
  return `unplugged or switched off${since(age)}${cause ? `: ${cause}` : ''}`;
}

function since(age: number): string {
  if (!Number.isFinite(age) || age < 1) return '';
  return age < 90 ? ` for ${Math.round(age)} s` : ` for ${Math.round(age / 60)} min`;
}

// `beside` is what is compared with: the twin, the truth of a virtual device, a target.
export function residualText(distance: number, angle: number, beside = 'twin'): string {
  const millimetres = 1000 * distance;
  const far = millimetres < 10 ? millimetres.toFixed(1) + ' mm' : millimetres < 1000 ? millimetres.toFixed(0) + ' mm' : distance.toFixed(2) + ' m';
  return `${beside} deviates by ${far}, ${((angle * 180) / Math.PI).toFixed(1)}°`;
}
