// SPDX-License-Identifier: Apache-2.0
// Why a machine is not live or does not move, and what to do about it, in plain words. Pure functions.
import type { MachineStatus } from '../store';
import { wholeDuration } from './format';

export type Tone = 'good' | 'doubt' | 'bad' | 'calm';
export type IconName = 'check' | 'search' | 'clock' | 'unplug' | 'cross' | 'lock' | 'play' | 'stop' | 'eye';

export interface Said {
  word: string;
  tone: Tone;
  icon: IconName;
}

type Link = Pick<MachineStatus, 'state' | 'cause' | 'warning' | 'quality' | 'age' | 'virtual' | 'moves' | 'arm' | 'unplugged'>;

export const notKnown: Said = { word: 'Unknown', tone: 'doubt', icon: 'search' };

// The link in one or two words. A machine that was never seen is searched for; one that was is lost.
export function linkWord(machine: Link): Said {
  switch (machine.state) {
    case 'live':
      if (machine.quality === 'live') return { word: 'Live', tone: 'good', icon: 'check' };
      return { word: machine.quality === 'invalid' ? 'Bad data' : 'Stale', tone: 'doubt', icon: 'clock' };
    case 'syncing':
      if (machine.age < 0) return { word: 'Setting up', tone: 'doubt', icon: 'search' };
      return { word: machine.quality === 'invalid' ? 'Bad data' : 'Stale', tone: 'doubt', icon: 'clock' };
    case 'faulted':
      return { word: 'Faulted', tone: 'bad', icon: 'cross' };
    case 'connecting':
    case 'down':
      if (machine.age < 0) return { word: 'Not found yet', tone: 'bad', icon: 'search' };
      return { word: 'Link lost', tone: 'bad', icon: 'unplug' };
    default:
      return { word: machine.state || 'Unknown', tone: 'doubt', icon: 'search' };
  }
}

// In a recording nothing is live, and nothing can be armed: it was.
export function recordedLinkWord(machine: Link): Said {
  const { word, tone, icon } = linkWord(machine);
  if (word === 'Live') return { word: 'Recorded', tone: 'calm', icon };
  return { word: `Was: ${word.toLowerCase()}`, tone, icon };
}

export function recordedArmWord(machine: Pick<MachineStatus, 'arm' | 'moves'>): Said {
  const said = armWord(machine);
  if (!machine.moves) return said;
  return { ...said, word: `Was ${said.word.toLowerCase()}`, tone: said.tone === 'good' ? 'calm' : said.tone };
}

export function armWord(machine: Pick<MachineStatus, 'arm' | 'moves'>): Said {
  if (!machine.moves) return { word: 'Read-only', tone: 'calm', icon: 'eye' };
  if (machine.arm === 'armed') return { word: 'Armed', tone: 'good', icon: 'play' };
  if (machine.arm === 'stopped') return { word: 'Stopped', tone: 'bad', icon: 'stop' };
  return { word: 'Disarmed', tone: 'calm', icon: 'lock' };
}

// Why no samples come, what to look at, and what comes back by itself; empty while all is well.
export function linkWhy(machine: Link, uptime: number): string {
  if (machine.state === 'live' && machine.quality === 'live') return machine.warning ? sentenceEnd(`Slow: ${machine.warning}`) : '';
  const since = wholeDuration(machine.age >= 0 ? machine.age : uptime);
  const cause = sentenceEnd(machine.cause);
  switch (machine.state) {
    case 'connecting':
    case 'down':
      return `Unreachable for ${since}. ${advice(machine)} ${returnWords(machine)}${cause === '' ? '' : ` Last try: ${cause}`}`;
    case 'faulted':
      return `Gave up${cause === '' ? '.' : `: ${cause}`} It does not recover by itself: fix the cause and restart the program.`;
    default:
      if (machine.age < 0) return `Connected, and waiting for its first sample${cause === '' ? '.' : `: ${cause}`}`;
      return `Connected, but the newest good sample is ${since} old${cause === '' ? '.' : `: ${cause}`} ${returnWords(machine)}`;
  }
}

// Why a machine that could move does not, and how it would; empty while it is armed or only read.
export function armWhy(machine: Pick<MachineStatus, 'moves' | 'arm' | 'arm_cause' | 'arm_by' | 'state' | 'name'>): string {
  if (!machine.moves || machine.arm === 'armed') return '';
  const cause = machine.arm_cause === '' ? '' : ` (${machine.arm_cause})`;
  if (machine.arm === 'stopped') {
    const by = machine.arm_by === '' ? '' : ` by ${machine.arm_by}`;
    return `Stopped${by}${cause}. A stop is latched: press Reset, then Arm.`;
  }
  if (machine.arm_by === 'link') {
    return `Disarmed when its link broke${cause}. It does not move again by itself: press Arm${whenBack(machine.state)}.`;
  }
  if (machine.arm_cause === 'reset') return `Reset by ${machine.arm_by || 'an unknown client'} and not armed: press Arm to enable motion.`;
  return `Not armed${cause}: press Arm to enable motion${whenBack(machine.state)}.`;
}

// The two together: what stands on the machine's card. Empty: nothing is wrong.
export function why(machine: MachineStatus, uptime: number): string {
  const link = linkWhy(machine, uptime);
  const broken = machine.state === 'connecting' || machine.state === 'down' || machine.state === 'faulted';
  // The link's own text has already said how motion comes back.
  if (link !== '' && (broken || machine.age >= 0)) return link;
  return [link, armWhy(machine)].filter((text) => text !== '').join(' ');
}

// All machines in a line: those that something is the matter with by name, the worst first.
export function sumOf(machines: readonly MachineStatus[], recorded = false): { text: string; tone: Tone } {
  if (recorded) return { text: machines.length === 1 ? 'recorded' : `${machines.length} recorded`, tone: 'calm' };
  const troubles = new Map<string, { rank: number; names: string[] }>();
  for (const machine of machines) {
    const link = linkWord(machine);
    const stopped = machine.moves && machine.arm === 'stopped';
    if (link.tone === 'good' && !stopped) continue;
    const { word } = link.tone === 'good' ? armWord(machine) : link;
    const rank = link.tone === 'bad' ? 0 : link.tone === 'good' ? 1 : 2;
    const known = troubles.get(word) ?? { rank, names: [] };
    known.names.push(machine.name);
    troubles.set(word, known);
  }
  const all = machines.length;
  if (troubles.size === 0) return { text: all === 1 ? 'live' : `all ${all} live`, tone: 'calm' };
  const sorted = [...troubles].sort(([, a], [, b]) => a.rank - b.rank);
  const text = sorted.map(([word, { names }]) => `${word}: ${all > 1 && names.length === all ? `all ${all}` : names.join(', ')}`).join(' · ');
  return { text, tone: sorted.some(([, { rank }]) => rank < 2) ? 'bad' : 'doubt' };
}

// What a recording says of it: the facts without what to do, since nothing can be done.
export function recordedWhy(machine: MachineStatus): string {
  const link = machine.state === 'live' && machine.quality === 'live' ? '' : sentenceEnd(machine.cause);
  const arm = machine.moves && machine.arm === 'stopped' ? sentenceEnd(`Stopped by ${machine.arm_by || 'an unknown client'}: ${machine.arm_cause}`) : '';
  return [link, arm].filter((text) => text !== '').join(' ');
}

export interface Rights {
  connected: boolean;
  mayControl: boolean;
  byScript?: boolean; // a script controls, and no token gives control
  recorded?: boolean; // a replay: there is nothing to control, by anybody
}

const nothingToMove = 'This is a recording: nothing here can be moved.';

// Why its controls do nothing now; empty: they work.
export function controlsOff(machine: MachineStatus | undefined, rights: Rights): string {
  if (!rights.connected) return 'Not connected to the program: nothing can be sent.';
  if (rights.recorded === true) return nothingToMove;
  if (!rights.mayControl) return watchText(rights.byScript);
  if (machine === undefined) return 'No data of this machine yet.';
  if (!machine.moves) return 'This machine is read-only: it has nothing that can be moved from here.';
  if (machine.state !== 'live') return 'Its link is not live: a command would not arrive.';
  if (machine.arm === 'stopped') return 'It is stopped. Press Reset, then Arm.';
  if (machine.arm !== 'armed') return 'It is not armed. Press Arm first.';
  return '';
}

// What to do in order to control; on the page that a script opened for its own arm nothing gives control.
export function watchText(byScript = false): string {
  return byScript ? scriptsPage : watchOnly;
}

const scriptsPage = 'This page is read-only: the script that opened it controls the arm. To stop the arm, press Ctrl-C in the script.';

const watchOnly =
  'This page is read-only. To control, run `tandem page` on the computer where the program runs, and open the address that it ' +
  'prints. If you were given a control token, add it to the address of this page: ?token=…';

// Why Arm cannot be pressed now; empty: it can.
export function armOff(machine: MachineStatus | undefined, rights: Rights): string {
  if (!rights.connected) return 'Not connected to the program: nothing can be sent.';
  if (rights.recorded === true) return nothingToMove;
  if (!rights.mayControl) return watchText(rights.byScript);
  if (machine === undefined) return 'No data of this machine yet.';
  if (!machine.moves) return 'This machine is read-only.';
  if (machine.arm === 'armed') return 'It is armed already.';
  if (machine.arm === 'stopped') return 'It is stopped: press Reset first.';
  if (machine.state !== 'live') return 'Its link is not live: it can be armed once it is.';
  return '';
}

// Why Reset cannot be pressed now; empty: it can.
export function resetOff(machine: MachineStatus | undefined, rights: Rights): string {
  if (!rights.connected) return 'Not connected to the program: nothing can be sent.';
  if (rights.recorded === true) return nothingToMove;
  if (!rights.mayControl) return watchText(rights.byScript);
  return machine?.arm === 'stopped' ? '' : 'It is not stopped.';
}

// What an armed machine does, and how a task of its own that a person took over begins again: Arm is off by then.
export function armedWords(machine: Pick<MachineStatus, 'values'>): string {
  const task = machine.values.find(({ name, text }) => name === 'task' && text.startsWith('off'));
  if (task === undefined) return 'Armed: it follows commands.';
  return 'Armed: it follows commands. Its own task is off because another client drove it: press Stop, Reset, then Arm to restart it.';
}

function advice(machine: Link): string {
  if (machine.virtual && machine.unplugged === true) return 'This virtual device is unplugged: press Plug in, under Overview.';
  if (machine.virtual) return 'It is a virtual device inside this program, so there is no hardware to check: see the log, or restart the program.';
  if (/refused|nothing listens/i.test(machine.cause))
    return "Check the cable and the device's power: a computer answers there, but not the device's controller.";
  if (/unknown host|is unknown|not an address/i.test(machine.cause)) return 'Check the address in the configuration.';
  if (/permission|not permitted/i.test(machine.cause)) return "Check the program's permissions.";
  return "Check the cable and the device's power.";
}

function returnWords(machine: Link): string {
  if (!machine.moves) return 'Reading resumes by itself.';
  if (machine.arm === 'stopped') return 'Reading resumes by itself; motion does not, so that nothing starts unasked: press Reset, then Arm.';
  if (machine.arm === 'armed') return 'Reading resumes by itself.';
  return 'Reading resumes by itself; motion does not, so that nothing starts unasked: press Arm when it is live.';
}

function whenBack(state: string): string {
  return state === 'live' ? '' : ' when it is live again';
}

function sentenceEnd(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
