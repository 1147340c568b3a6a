// SPDX-License-Identifier: Apache-2.0
// What the program says to the page, as types: the JSON of /tandem/... Metres, radians, seconds, z up.

export type Shape = 'box' | 'cylinder' | 'cone' | 'sphere' | 'capsule' | 'mesh' | 'line' | 'cloud';

export interface Part {
  name: string;
  frame: string; // "world" or one of Scene.frames
  shape: Shape;
  size: number[]; // by shape: box x y z; cylinder, cone, capsule radius length; sphere radius; cloud width
  at: number[]; // x y z qx qy qz qw in the frame
  color: string;
  opacity: number;
  points?: number[]; // flat x y z
  triangles?: number[]; // flat indices
  layer?: string;
  layer_off?: boolean;
}

export interface Tie {
  name: string;
  from: string;
  to: string;
  from_point: number[];
  to_point: number[];
  radius: number;
  color: string;
  scalar: number; // index in Scene.scalars; -1: `color`
}

export interface Scalar {
  name: string;
  unit: string;
  low: number;
  high: number;
}

export interface Control {
  name: string;
  group: string;
  kind: 'jog' | 'slider' | 'button';
  topic: string;
  type: string;
  field: string; // "linear.x", "data.2"
  message: Json;
  unit: string;
  low: number;
  high: number;
  value: number;
  rest: number;
  key: string;
  // The number in the message is what is shown times scale plus offset; a flag is true or false there. Older
  // recordings do not say; so below.
  scale?: number;
  offset?: number;
  flag?: boolean;
  shows?: string; // the value that a slider begins at; empty: as group and field say
}

export interface Indicator {
  value: string; // the name of a value
  kind: 'lamp' | 'gauge' | 'text';
  low: number;
  high: number;
  group: string;
}

export interface Scene {
  frames: string[];
  parts: Part[];
  ties: Tie[];
  scalars: Scalar[];
  controls: Control[];
  indicators?: Indicator[];
  trails: string[];
  main_frame: string;
  extent: number;
  ground?: string; // the scene on whose ground it stands, by name; '' or none: it has its own
  beside?: { name: string; text: string }; // what is drawn translucent; older recordings do not say
  camera_topic: string;
}

export interface SceneMachine {
  name: string;
  type: string;
  virtual: boolean;
  moves: boolean;
  scene: Scene;
}

export interface PictureMachine {
  name: string;
  seen: boolean;
  frames: (number | null)[]; // flat, 7 per frame: x y z qx qy qz qw; null: not known
  scalars: (number | null)[];
  twin: (number | null)[] | null;
  twin_scalars?: (number | null)[];
}

export interface Picture {
  t: number; // since the epoch
  machines: PictureMachine[];
}

export type LinkState = 'down' | 'connecting' | 'syncing' | 'live' | 'faulted';
export type ArmState = 'disarmed' | 'armed' | 'stopped';
export type Quality = 'invalid' | 'stale' | 'live';

export interface Value {
  name: string;
  unit: string;
  numbers: (number | null)[];
  text: string;
  parts?: string[]; // what each number is of; older recordings do not say
}

export interface Hop {
  name: string;
  count: number;
  sum: number;
  p50: number;
  p99: number;
  p999: number;
  worst?: number; // older recordings do not say
}

export interface MachineStatus {
  name: string;
  type: string;
  device: string;
  node?: string; // on ROS: "/lab/slam_bridge"; "" without ROS
  virtual: boolean;
  unplugged?: boolean; // somebody pulled the cable of its virtual device; older recordings do not say
  chaos?: string; // faults of its link: "ready", or what is on; '' or none: it has no fault proxies
  chaos_result?: string; // what the last ones did
  moves: boolean;
  state: LinkState;
  cause: string;
  warning?: string; // why its samples come more seldom than configured; older recordings do not say
  quality: Quality;
  arm: ArmState;
  arm_cause: string;
  arm_by: string;
  rate: number; // samples per second
  age: number; // of the newest sample
  samples: number;
  invalid: number;
  connects: number;
  attempts: number;
  stale_episodes: number;
  skipped?: number; // cycles never begun, as their turns were too long ago; older recordings do not say
  hops: Hop[];
  late?: Hop | null; // how late its cycles begin; null where the device sets the pace
  values: Value[];
  twin_values: Value[];
}

export interface Recording {
  file: string;
  messages: number;
  bytes: number;
  dropped: number;
  trouble: string;
}

// A file that the black box has written.
export interface Incident {
  file: string; // its path
  machine: string; // "all": of none alone
  cause: string; // one word: stopped, lost, residual, protective_stop, snapshot
  text: string;
  at: number; // s since the epoch
}

export interface Status {
  version: string;
  uptime: number;
  ros: string;
  control: string;
  machines: MachineStatus[];
  recording: Recording | null;
  viewers: number;
  incidents?: Incident[]; // the newest first; older recordings do not say
}

export interface Histogram {
  name: string; // solve, publish, total, late
  edges: number[]; // upper edge of each bucket that holds something
  counts: number[];
}

export interface Latency {
  machines: { name: string; hops: Histogram[] }[];
}

export interface LogLine {
  t: number;
  machine: string;
  kind: string;
  text: string;
  bad: boolean;
}

export interface CommandAnswer {
  ok: boolean;
  text: string;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
