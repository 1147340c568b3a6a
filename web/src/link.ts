// SPDX-License-Identifier: Apache-2.0
// Joins the protocol client to the store: Tandem's own channels in, a person's wishes out.
import { jsonFromBytes, nanosecondsFromSeconds, secondsFromNanoseconds } from './frames';
import { Client, type Receive, type ServerInfo, type WireParameter } from './protocol';
import { incidentsFrom } from './panels/incidents';
import { watchText } from './panels/why';
import { logLength, type Actions, type Json, type Parameter, type Store } from './store';
import type { CommandAnswer, Incident, Latency, LogLine, Picture, SceneMachine, Status } from './wire';

export interface Link extends Actions {
  // For the camera: raw samples of any topic, while wanted.
  subscribe(topic: string, receive: Receive): () => void;
}

const tickEvery = 300; // ms
const ticksToQuiet = 4; // without a status, which comes ten times a second: what is shown is old, and the page says so
const ticksToDeaf = 14; // without anything: the socket is given up for a new one

// Hears whether the program still speaks. Counted in calls, not in time, as in Client.tick().
export class Ear {
  private silence = -1; // ticks since the last status, or since there was somebody to hear; -1: nobody was there yet

  begin(): void {
    this.silence = 0;
  }

  // True: after a silence.
  heard(): boolean {
    const quiet = this.silence >= ticksToQuiet;
    this.silence = 0;
    return quiet;
  }

  // True: it has just fallen silent.
  tick(): boolean {
    return this.silence >= 0 && ++this.silence === ticksToQuiet;
  }
}

// `whenRefused`: the program did not let this page in.
export function openLink(store: Store, url: string, whenRefused: () => void = () => {}): Link {
  const waiting = new Map<string, (parameters: WireParameter[]) => void>(); // parameter answers by request
  let requests = 0;
  const ear = new Ear();

  const client = new Client(url, {
    trying: (attempt) => store.connection.change({ state: attempt > 0 ? 'lost' : 'connecting', attempt, retryAt: 0 }),
    open: (info) => {
      ear.begin();
      opened(store, client, info);
    },
    lost: (why, attempt, wait, refused) => {
      if (refused) whenRefused();
      const { state, since } = store.connection.value;
      store.connection.change({
        state: 'lost',
        why,
        refused,
        since: state === 'lost' ? since : Date.now(),
        attempt,
        retryAt: Date.now() + wait,
      });
    },
    channels: (channels) => store.topics.set(channels.map((channel) => channel.topic).sort()),
    status: (level, text) =>
      store.notice.set({ level: level >= 2 ? 'error' : level === 1 ? 'warning' : 'info', text, t: Date.now() }),
    parameters: (parameters, id) => {
      const known = new Map(store.parameters.value);
      for (const { name, value, type, readOnly } of parameters) known.set(name, { name, value: value as Json, type, readOnly });
      store.parameters.set(known);
      if (id) waiting.get(id)?.(parameters);
    },
    playback: (frame) => {
      const known = store.playback.value;
      const now = secondsFromNanoseconds(frame.time);
      store.playback.set({ start: known?.start ?? now, end: known?.end ?? now, now, speed: frame.speed, state: frame.state });
    },
    time: (time) => {
      if (store.playback.value) store.playback.set({ ...store.playback.value, now: secondsFromNanoseconds(time) });
    },
  });

  listen(store, client);
  client.subscribe('/tandem/status', () => {
    if (ear.heard() && client.isOpen) store.connection.change({ state: 'open', why: '', since: Date.now() });
  });
  client.connect();
  // A paused replay may be silent.
  setInterval(() => {
    if (store.connection.value.mode !== 'live') return;
    client.tick(ticksToDeaf);
    if (client.isOpen && ear.tick()) {
      const why = 'network timeout: nothing received from the program for more than a second';
      store.connection.change({ state: 'lost', why, refused: false, since: Date.now(), retryAt: 0 });
    }
  }, tickEvery);

  const playing = () => store.playback.value?.state === 'playing';
  const speed = () => store.playback.value?.speed || 1;
  return {
    subscribe: (topic, receive) => client.subscribe(topic, receive),
    command: async (what, machine) => answerFrom(await client.call('/tandem/command', { what, machine })),
    chaos: async (terms, machine) => answerFrom(await client.call('/tandem/command', { what: 'chaos', machine, terms })),
    publish: (topic, type, message) => store.connection.value.mayControl && client.publish(topic, type, message),
    askParameters: () => client.askParameters([]),
    setParameter: (name, value) => {
      const id = `set ${++requests}`;
      return new Promise<Parameter>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error('no answer from the program within 3 s'));
        }, 3000);
        waiting.set(id, (parameters) => {
          clearTimeout(timer);
          waiting.delete(id);
          const now = parameters.find((parameter) => parameter.name === name);
          if (now) resolve({ name, value: now.value as Json, type: now.type });
          else reject(new Error(`the program did not accept ${name}`));
        });
        if (!client.changeParameters([{ name, value }], id)) waiting.get(id)?.([]);
      });
    },
    play: () => client.control(true, speed(), null),
    pause: () => client.control(false, speed(), null),
    speed: (factor) => client.control(playing(), factor, null),
    seek: (seconds) => client.control(playing(), speed(), nanosecondsFromSeconds(seconds)),
    reconnect: () => client.hurry(),
  };
}

function opened(store: Store, client: Client, info: ServerInfo): void {
  const mode = info.metadata?.mode === 'replay' ? 'replay' : 'live';
  // It may be another program, with other machines: what the last one said holds no longer.
  store.status.set(null);
  store.picture.set(null);
  store.latency.set(null);
  store.log.set([]); // the kept lines come again
  store.parameters.set(new Map());
  store.connection.set({
    state: 'open',
    why: '',
    refused: false,
    since: Date.now(),
    attempt: 0,
    retryAt: 0,
    program: info.metadata?.tandem ?? '',
    mayControl: info.metadata?.control === 'yes' && mode === 'live',
    byScript: info.metadata?.controlled_by === 'script',
    mode,
    capabilities: info.capabilities,
  });
  const { mayControl, byScript } = store.connection.value;
  if (mode === 'live' && !mayControl) store.notice.set({ level: 'warning', text: watchText(byScript), t: Date.now() });
  const start = secondsFrom(info.dataStartTime);
  const end = secondsFrom(info.dataEndTime);
  store.incidents.set(mode === 'replay' ? incidentsFrom(jsonFromText(info.metadata?.incidents)) : []);
  store.playback.set(mode === 'replay' ? { start, end, now: start, speed: 1, state: 'paused' } : null);
  if (info.capabilities.includes('parameters')) client.askParameters([]);
  if (info.capabilities.includes('parametersSubscribe')) client.watchParameters([]);
}

function listen(store: Store, client: Client): void {
  client.subscribe('/tandem/scene', (payload) => {
    const machines = field<SceneMachine>(jsonFromBytes(payload), 'machines');
    if (machines) store.scenes.set(machines);
  });
  client.subscribe('/tandem/picture', (payload, time) => {
    const picture = jsonFromBytes(payload);
    if (!field(picture, 'machines')) return;
    store.picture.set(picture as Picture);
    // Between the rare playback frames the pictures carry the time bar on.
    const playback = store.playback.value;
    if (playback) store.playback.set({ ...playback, now: secondsFromNanoseconds(time) });
  });
  client.subscribe('/tandem/status', (payload) => {
    const status = jsonFromBytes(payload);
    if (!field(status, 'machines')) return;
    store.status.set(statusFor(store, status as Status));
    takeIncidents(store, incidentsFrom(field(status, 'incidents')));
  });
  client.subscribe('/tandem/latency', (payload) => {
    const latency = jsonFromBytes(payload);
    if (field(latency, 'machines')) store.latency.set(latency as Latency);
  });
  client.subscribe('/tandem/log', (payload) => {
    const line = jsonFromBytes(payload) as LogLine | undefined;
    if (typeof line?.text !== 'string') return;
    store.log.set([...store.log.value.slice(1 - logLength), line]);
  });
}

// Most statuses bring the ones that are known already. A replay has its own, whatever was known when it was recorded.
function takeIncidents(store: Store, incidents: Incident[]): void {
  if (store.connection.value.mode === 'replay') return;
  const known = store.incidents.value;
  const same = known.length === incidents.length && known.every((each, at) => each.file === incidents[at]?.file);
  if (!same) store.incidents.set(incidents);
}

function jsonFromText(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

// What a script moves is only read from here: nothing on the page says that Arm would let it move.
function statusFor(store: Store, status: Status): Status {
  if (!store.connection.value.byScript) return status;
  return { ...status, machines: status.machines.map((machine) => ({ ...machine, moves: false })) };
}

function field<T>(value: unknown, name: string): T[] | undefined {
  const held = value && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined;
  return Array.isArray(held) ? held : undefined;
}

function answerFrom(payload: Uint8Array): CommandAnswer {
  const said = jsonFromBytes(payload) as Partial<CommandAnswer> | undefined;
  return { ok: said?.ok === true, text: typeof said?.text === 'string' ? said.text : '' };
}

const secondsFrom = (time?: { sec: number; nsec: number }) => (time ? time.sec + time.nsec / 1e9 : 0);

// The program's socket stands where the page came from; its token goes with it, as it was written there.
export function socketUrl(place: Pick<Location, 'href'>, token: string): string {
  const url = new URL('./', import.meta.env.VITE_TANDEM ?? place.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search = token ? `?token=${token}` : '';
  return url.href;
}
