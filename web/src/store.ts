// SPDX-License-Identifier: Apache-2.0
// All that the page knows, in cells. Only the link (src/link.ts) writes what comes from the program; `chosen`, `view`
// and `theme` are written by the person through the panels, the keyboard or the 3D view.
import { Cell } from './cell';
import type { Incident, Json, Latency, LogLine, MachineStatus, Picture, SceneMachine, Status } from './wire';

export type { Readable } from './cell';
export { Cell } from './cell';
export type * from './wire';

export interface Connection {
  state: 'connecting' | 'open' | 'lost';
  why: string; // in words, while not open
  refused: boolean; // the program is there and does not let this page in
  since: number; // ms since the epoch: when this state began
  attempt: number; // tries since it was lost
  retryAt: number; // ms since the epoch; 0: none planned
  program: string; // version, "" before the first hello
  mayControl: boolean;
  byScript: boolean; // a script controls what is shown: no token gives control here
  mode: 'live' | 'replay';
  capabilities: readonly string[];
}

export interface Playback {
  start: number; // s since the epoch
  end: number;
  now: number;
  speed: number;
  state: 'playing' | 'paused' | 'buffering' | 'ended';
}

export interface Parameter {
  name: string; // "/node.parameter"
  value: Json | undefined;
  type?: string;
  readOnly?: boolean;
}

// A message from the program that concerns this page alone: a refused call, a bad parameter.
export interface Notice {
  level: 'info' | 'warning' | 'error';
  text: string;
  t: number; // ms since the epoch
}

export interface ViewOptions {
  labels: boolean;
  frames: boolean; // axes of every moving frame
  trails: boolean;
  twin: boolean;
  residual: boolean;
  residualGain: number; // how much longer than true the residual is drawn
  follow: boolean; // the camera goes with the chosen machine
  camera: boolean; // picture-in-picture of the chosen machine's camera
  layers: Readonly<Record<string, boolean>>; // by "machine/layer"; what is missing stands as the scene says
}

export type Theme = 'auto' | 'dark' | 'light';

export interface Store {
  readonly connection: Cell<Connection>;
  readonly scenes: Cell<readonly SceneMachine[]>;
  readonly picture: Cell<Picture | null>;
  readonly status: Cell<Status | null>;
  readonly latency: Cell<Latency | null>;
  readonly log: Cell<readonly LogLine[]>; // oldest first, at most logLength
  readonly playback: Cell<Playback | null>; // null unless replayed
  readonly incidents: Cell<readonly Incident[]>; // the newest first; of a replay the one that its file is of
  readonly parameters: Cell<ReadonlyMap<string, Parameter>>;
  readonly notice: Cell<Notice | null>;
  readonly topics: Cell<readonly string[]>;
  readonly chosen: Cell<string>; // a machine's name, or ""
  readonly view: Cell<ViewOptions>;
  readonly theme: Cell<Theme>;
}

export const logLength = 500;

export function createStore(): Store {
  return {
    connection: new Cell<Connection>({
      state: 'connecting',
      why: 'connecting',
      refused: false,
      since: Date.now(),
      attempt: 0,
      retryAt: 0,
      program: '',
      mayControl: false,
      byScript: false,
      mode: 'live',
      capabilities: [],
    }),
    scenes: new Cell<readonly SceneMachine[]>([]),
    picture: new Cell<Picture | null>(null),
    status: new Cell<Status | null>(null),
    latency: new Cell<Latency | null>(null),
    log: new Cell<readonly LogLine[]>([]),
    playback: new Cell<Playback | null>(null),
    incidents: new Cell<readonly Incident[]>([]),
    parameters: new Cell<ReadonlyMap<string, Parameter>>(new Map()),
    notice: new Cell<Notice | null>(null),
    topics: new Cell<readonly string[]>([]),
    chosen: new Cell(''),
    view: new Cell<ViewOptions>({
      labels: true,
      frames: false,
      trails: true,
      twin: true,
      residual: true,
      residualGain: 1,
      follow: false,
      camera: false,
      layers: {},
    }),
    theme: new Cell<Theme>('auto'),
  };
}

export function statusOf(store: Store, name: string): MachineStatus | undefined {
  return store.status.value?.machines.find((machine) => machine.name === name);
}

export function sceneOf(store: Store, name: string): SceneMachine | undefined {
  return store.scenes.value.find((machine) => machine.name === name);
}

// How far what is drawn of a machine can be trusted; the first that holds, from the worst. Whether it is stopped is
// another matter: a stopped machine may be pushed, and its link may break.
export type Presence = 'absent' | 'stale' | 'present';

export function presenceOf(status: MachineStatus | undefined, seen: boolean, connected: boolean): Presence {
  if (!seen) return 'absent';
  if (status?.state === 'down' || status?.state === 'connecting' || status?.state === 'faulted') return 'absent';
  if (!connected) return 'stale';
  return status && (status.state !== 'live' || status.quality !== 'live') ? 'stale' : 'present';
}

// What a person can do to the program. Made by src/link.ts; nothing here is ever called by loading the page.
export interface Actions {
  command(what: 'arm' | 'stop' | 'reset' | 'unplug' | 'plug', machine: string): Promise<import('./wire').CommandAnswer>;
  // Faults on a machine's link, as `tandem chaos` writes them; 'clear': none.
  chaos(terms: string, machine: string): Promise<import('./wire').CommandAnswer>;
  // Publishes JSON text on a ROS topic; false: not delivered (no connection, no right).
  publish(topic: string, type: string, message: Json): boolean;
  setParameter(name: string, value: Json): Promise<Parameter>;
  askParameters(): void;
  play(): void;
  pause(): void;
  speed(factor: number): void;
  seek(seconds: number): void; // since the epoch
  reconnect(): void; // at once, without waiting for the next try
}

