// SPDX-License-Identifier: Apache-2.0
// A client of the Foxglove WebSocket protocol: one socket that comes back by itself, topics by name, services,
// client channels, parameters and playback. It knows nothing of Tandem's own channels.
import {
  bytesFromJson,
  clientMessage,
  frameFrom,
  playbackControl,
  serviceCall,
  type ServerFrame,
} from './frames';

export interface ServerInfo {
  name: string;
  capabilities: string[];
  metadata?: Record<string, string>;
  sessionId?: string;
  dataStartTime?: { sec: number; nsec: number };
  dataEndTime?: { sec: number; nsec: number };
}

export interface Channel {
  id: number;
  topic: string;
  encoding: string;
  schemaName: string;
}

export interface WireParameter {
  readOnly?: boolean; // Tandem's own addition
  name: string;
  value?: unknown;
  type?: string;
}

export interface Events {
  open(info: ServerInfo): void;
  lost(why: string, attempt: number, retryInMs: number, refused: boolean): void;
  trying(attempt: number): void;
  channels(channels: readonly Channel[]): void;
  status(level: number, message: string): void;
  parameters(parameters: WireParameter[], id: string | undefined): void;
  playback(frame: Extract<ServerFrame, { op: 'playback' }>): void;
  time(time: bigint): void;
}

export type Receive = (payload: Uint8Array, time: bigint, channel: Channel) => void;

// The part of WebSocket that is used, so that a test may bring its own.
export interface Socket {
  binaryType: string;
  readonly bufferedAmount: number;
  onopen: ((event: unknown) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(data: string | ArrayBuffer): void;
  close(): void;
}

export type OpenSocket = (url: string, protocols: string[]) => Socket;

// The last is chosen only to refuse: it asks to be told why in words, which a browser would keep to itself.
export const subprotocols = ['foxglove.sdk.v1', 'foxglove.websocket.v1', 'tandem.words'];

interface Call {
  resolve(payload: Uint8Array): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

// Waits before the tries after a loss: quick at first, since most losses are restarts on this very machine.
export function backoff(attempt: number): number {
  return Math.min(250 * 2 ** Math.min(attempt, 10), 5000);
}

// After a refusal: the answer will be the same, and an address with many wrong tokens has to wait for a minute.
const patience = 30000; // ms
const policy = 1008; // the close code of a refusal, with the reason in words

export class Client {
  info: ServerInfo | null = null;

  private socket: Socket | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private attempt = 0;
  private closed = false;
  private silence = 0; // ticks since anything was heard

  private channels = new Map<number, Channel>();
  private wanted = new Map<string, Set<Receive>>(); // by topic
  private subscriptions = new Map<number, Channel>(); // by subscription id
  private services = new Map<string, number>();
  private calls = new Map<number, Call>();
  private published = new Map<string, number>(); // client channels by topic and type
  private nextId = 1;

  constructor(
    private url: string,
    private events: Events,
    private open: OpenSocket = (address, protocols) => new WebSocket(address, protocols) as unknown as Socket,
  ) {}

  connect(): void {
    clearTimeout(this.retry);
    if (this.socket || this.closed) return;
    this.events.trying(this.attempt);
    let socket: Socket;
    try {
      socket = this.open(this.url, subprotocols);
    } catch (error) {
      this.lost(error instanceof Error ? error.message : String(error));
      return;
    }
    this.socket = socket;
    this.silence = 0;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.silence = 0;
      if (typeof event.data === 'string') this.hear(event.data);
      else if (event.data instanceof ArrayBuffer) this.take(event.data);
    };
    socket.onclose = (event) => {
      const refused = event.code === policy && this.info === null;
      if (socket === this.socket) this.lost(event.reason || closeReason(event.code), refused);
    };
    socket.onerror = () => {};
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.socket?.close();
    this.forget('the page has closed');
  }

  get isOpen(): boolean {
    return this.socket !== null && this.info !== null;
  }

  get waiting(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  // Holds over losses: whenever the topic is there, it is subscribed. Gives back the function that ends it.
  subscribe(topic: string, receive: Receive): () => void {
    const receivers = this.wanted.get(topic) ?? new Set();
    receivers.add(receive);
    this.wanted.set(topic, receivers);
    for (const channel of this.channels.values()) if (channel.topic === topic) this.ask([channel]);
    return () => {
      receivers.delete(receive);
      if (receivers.size > 0 || this.wanted.get(topic) !== receivers) return;
      this.wanted.delete(topic);
      for (const [id, channel] of this.subscriptions) {
        if (channel.topic !== topic) continue;
        this.subscriptions.delete(id);
        this.say({ op: 'unsubscribe', subscriptionIds: [id] });
      }
    };
  }

  call(service: string, request: unknown, timeoutMs = 3000): Promise<Uint8Array> {
    const id = this.services.get(service);
    if (!this.isOpen) return Promise.reject(new Error('not connected to the program'));
    if (id === undefined) return Promise.reject(new Error(`the program offers no service ${service}`));
    const call = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.calls.delete(call);
        reject(new Error(`no answer from ${service} within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      this.calls.set(call, { resolve, reject, timer });
      this.socket?.send(serviceCall(id, call, 'json', bytesFromJson(request)));
    });
  }

  // Publishes JSON on a topic; advertises it the first time. False: not sent.
  publish(topic: string, type: string, message: unknown): boolean {
    if (!this.isOpen || !this.info?.capabilities.includes('clientPublish')) return false;
    const key = `${topic} ${type}`;
    let id = this.published.get(key);
    if (id === undefined) {
      id = this.nextId++;
      this.published.set(key, id);
      this.say({ op: 'advertise', channels: [{ id, topic, encoding: 'json', schemaName: type }] });
    }
    this.socket?.send(clientMessage(id, bytesFromJson(message)));
    return true;
  }

  askParameters(names: string[], id?: string): void {
    this.say({ op: 'getParameters', parameterNames: names, id });
  }

  watchParameters(names: string[]): void {
    this.say({ op: 'subscribeParameterUpdates', parameterNames: names });
  }

  changeParameters(parameters: WireParameter[], id?: string): boolean {
    return this.say({ op: 'setParameters', parameters, id });
  }

  control(play: boolean, speed: number, seek: bigint | null): void {
    if (this.isOpen) this.socket?.send(playbackControl(play, speed, seek, String(this.nextId++)));
  }

  // Tries again now instead of at the next planned time.
  hurry(): void {
    if (!this.socket) this.connect();
  }

  // Called at regular times: a socket on which nothing was heard for more than `most` of them is given up. A cable
  // pulled between page and program closes no socket for minutes. Counted in calls, not in time, since a tab that was
  // asleep is called before it has heard what waits for it.
  tick(most: number): void {
    if (!this.socket || ++this.silence <= most) return;
    const socket = this.socket;
    this.lost('nothing heard from the program any more');
    socket.close();
  }

  private say(message: object): boolean {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  private lost(why: string, refused = false): void {
    this.forget(why);
    if (this.closed) return;
    const wait = refused ? patience : backoff(this.attempt);
    ++this.attempt;
    this.retry = setTimeout(() => this.connect(), wait);
    this.events.lost(why, this.attempt, wait, refused);
  }

  private forget(why: string): void {
    this.socket = null;
    this.info = null;
    this.channels.clear();
    this.subscriptions.clear();
    this.services.clear();
    this.published.clear();
    for (const call of this.calls.values()) {
      clearTimeout(call.timer);
      call.reject(new Error(`the connection closed before an answer arrived: ${why}`));
    }
    this.calls.clear();
  }

  private ask(channels: Channel[]): void {
    const fresh = channels.filter((channel) => ![...this.subscriptions.values()].includes(channel));
    const subscriptions = fresh.map((channel) => {
      const id = this.nextId++;
      this.subscriptions.set(id, channel);
      return { id, channelId: channel.id };
    });
    if (subscriptions.length > 0) this.say({ op: 'subscribe', subscriptions });
  }

  private take(buffer: ArrayBuffer): void {
    const frame = frameFrom(buffer);
    if (frame?.op === 'message') {
      const channel = this.subscriptions.get(frame.subscription);
      const receivers = channel && this.wanted.get(channel.topic);
      if (receivers) for (const receive of [...receivers]) receive(frame.payload, frame.time, channel);
    } else if (frame?.op === 'answer') {
      this.answered(frame.call)?.resolve(frame.payload);
    } else if (frame?.op === 'playback') {
      this.events.playback(frame);
    } else if (frame?.op === 'time') {
      this.events.time(frame.time);
    }
  }

  private answered(id: number): Call | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    clearTimeout(call?.timer);
    return call;
  }

  // The protocol's JSON. What is not understood is ignored, as the protocol asks.
  private hear(text: string): void {
    let said: any;
    try {
      said = JSON.parse(text);
    } catch {
      return;
    }
    switch (said?.op) {
      case 'serverInfo':
        this.attempt = 0;
        this.info = { ...said, capabilities: Array.isArray(said.capabilities) ? said.capabilities : [] };
        this.events.open(this.info as ServerInfo);
        break;
      case 'advertise':
        if (Array.isArray(said.channels)) this.learn(said.channels);
        break;
      case 'unadvertise':
        for (const id of list(said.channelIds)) this.unlearn(id);
        this.events.channels([...this.channels.values()]);
        break;
      case 'advertiseServices':
        for (const service of list(said.services)) this.services.set(service.name, service.id);
        break;
      case 'unadvertiseServices':
        for (const [name, id] of this.services) if (list(said.serviceIds).includes(id)) this.services.delete(name);
        break;
      case 'serviceCallFailure':
        this.answered(said.callId)?.reject(new Error(String(said.message)));
        break;
      case 'parameterValues':
        this.events.parameters(list(said.parameters), said.id);
        break;
      case 'status':
        this.events.status(Number(said.level), String(said.message));
        break;
    }
  }

  private learn(channels: Channel[]): void {
    const wanted: Channel[] = [];
    for (const channel of channels) {
      this.channels.set(channel.id, channel);
      if (this.wanted.has(channel.topic)) wanted.push(channel);
    }
    this.ask(wanted);
    this.events.channels([...this.channels.values()]);
  }

  private unlearn(id: number): void {
    this.channels.delete(id);
    for (const [subscription, channel] of this.subscriptions)
      if (channel.id === id) this.subscriptions.delete(subscription);
  }
}

function list(value: unknown): any[] {
  return Array.isArray(value) ? value : [];
}

function closeReason(code: number): string {
  if (code === policy) return 'the program refused this page';
  if (code === 1001) return 'the program is going away';
  if (code === 1006) return 'no answer from the program';
  return `the connection was closed (code ${code})`;
}
