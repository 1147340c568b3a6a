// SPDX-License-Identifier: Apache-2.0
// Binary frames of the Foxglove WebSocket protocol, both directions as far as the page needs them. Little-endian.

const text = new TextEncoder();
const untext = new TextDecoder();

export type ServerFrame =
  | { op: 'message'; subscription: number; time: bigint; payload: Uint8Array }
  | { op: 'time'; time: bigint }
  | { op: 'answer'; service: number; call: number; encoding: string; payload: Uint8Array }
  | { op: 'playback'; state: 'playing' | 'paused' | 'buffering' | 'ended'; time: bigint; speed: number; seeked: boolean };

const playbackStates = ['playing', 'paused', 'buffering', 'ended'] as const;

// Total: any bytes in, a frame or null out. The payload is a view into the buffer, not a copy.
export function frameFrom(buffer: ArrayBuffer): ServerFrame | null {
  const view = new DataView(buffer);
  if (view.byteLength < 1) return null;
  switch (view.getUint8(0)) {
    case 0x01:
      if (view.byteLength < 13) return null;
      return {
        op: 'message',
        subscription: view.getUint32(1, true),
        time: view.getBigUint64(5, true),
        payload: new Uint8Array(buffer, 13),
      };
    case 0x02:
      return view.byteLength < 9 ? null : { op: 'time', time: view.getBigUint64(1, true) };
    case 0x03:
      return answerFrom(view, buffer);
    case 0x05: {
      if (view.byteLength < 15) return null;
      const state = playbackStates[view.getUint8(1)];
      if (!state) return null;
      return {
        op: 'playback',
        state,
        time: view.getBigUint64(2, true),
        speed: view.getFloat32(10, true),
        seeked: view.getUint8(14) !== 0,
      };
    }
    default:
      return null;
  }
}

function answerFrom(view: DataView, buffer: ArrayBuffer): ServerFrame | null {
  if (view.byteLength < 13) return null;
  const length = view.getUint32(9, true);
  if (13 + length > view.byteLength) return null;
  return {
    op: 'answer',
    service: view.getUint32(1, true),
    call: view.getUint32(5, true),
    encoding: untext.decode(new Uint8Array(buffer, 13, length)),
    payload: new Uint8Array(buffer, 13 + length),
  };
}

export function clientMessage(channel: number, payload: Uint8Array): ArrayBuffer {
  const out = new Uint8Array(5 + payload.length);
  out[0] = 0x01;
  new DataView(out.buffer).setUint32(1, channel, true);
  out.set(payload, 5);
  return out.buffer;
}

export function serviceCall(service: number, call: number, encoding: string, payload: Uint8Array): ArrayBuffer {
  const name = text.encode(encoding);
  const out = new Uint8Array(13 + name.length + payload.length);
  const view = new DataView(out.buffer);
  out[0] = 0x02;
  view.setUint32(1, service, true);
  view.setUint32(5, call, true);
  view.setUint32(9, name.length, true);
  out.set(name, 13);
  out.set(payload, 13 + name.length);
  return out.buffer;
}

export function playbackControl(play: boolean, speed: number, seek: bigint | null, request: string): ArrayBuffer {
  const id = text.encode(request);
  const out = new Uint8Array(19 + id.length);
  const view = new DataView(out.buffer);
  out[0] = 0x03;
  out[1] = play ? 0 : 1;
  view.setFloat32(2, speed, true);
  out[6] = seek === null ? 0 : 1;
  view.setBigUint64(7, seek ?? 0n, true);
  view.setUint32(15, id.length, true);
  out.set(id, 19);
  return out.buffer;
}

export function bytesFromJson(value: unknown): Uint8Array {
  return text.encode(JSON.stringify(value));
}

export function jsonFromBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(untext.decode(bytes));
  } catch {
    return undefined;
  }
}

export const nanosecondsFromSeconds = (seconds: number): bigint => BigInt(Math.round(seconds * 1e6)) * 1000n;
export const secondsFromNanoseconds = (time: bigint): number => Number(time / 1000n) / 1e6;
