// SPDX-License-Identifier: Apache-2.0
// Reads the two ROS images that a camera sends, from CDR: sensor_msgs/msg/Image and CompressedImage.
// Total: any bytes in, an image or null out.

export interface RawImage {
  kind: 'raw';
  width: number;
  height: number;
  encoding: string;
  step: number; // bytes per row
  data: Uint8Array;
}

export interface PackedImage {
  kind: 'packed';
  format: string; // "jpeg", "rgb8; png compressed", ...
  data: Uint8Array;
}

// A cursor over plain CDR (XCDR1): every number stands at a multiple of its size, counted behind the header.
class Cursor {
  private at = 4;
  private little: boolean;
  ok: boolean;

  constructor(private bytes: Uint8Array) {
    this.ok = bytes.length >= 4 && bytes[0] === 0 && bytes[1] <= 1;
    this.little = bytes[1] === 1;
  }

  u8(): number {
    return this.need(1) ? this.bytes[this.at++] : 0;
  }

  u32(): number {
    this.at = 4 + Math.ceil((this.at - 4) / 4) * 4;
    if (!this.need(4)) return 0;
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 4);
    this.at += 4;
    return view.getUint32(0, this.little);
  }

  run(): Uint8Array {
    const length = this.u32();
    if (!this.need(length)) return new Uint8Array();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  // A string counts its closing zero.
  text(): string {
    const run = this.run();
    return new TextDecoder().decode(run.subarray(0, Math.max(0, run.length - 1)));
  }

  private need(count: number): boolean {
    if (this.at + count > this.bytes.length) this.ok = false;
    return this.ok;
  }
}

function header(cursor: Cursor): void {
  cursor.u32(); // stamp, seconds
  cursor.u32(); // stamp, nanoseconds
  cursor.text(); // frame
}

export function imageFromCdr(bytes: Uint8Array): RawImage | null {
  const cursor = new Cursor(bytes);
  header(cursor);
  const height = cursor.u32();
  const width = cursor.u32();
  const encoding = cursor.text();
  cursor.u8(); // is_bigendian: of no matter for 8 bits
  const step = cursor.u32();
  const data = cursor.run();
  const least = width * (channelsOf(encoding) || Infinity);
  if (!cursor.ok || step < least || data.length < step * height || width * height === 0) return null;
  return { kind: 'raw', width, height, encoding, step, data };
}

export function packedImageFromCdr(bytes: Uint8Array): PackedImage | null {
  const cursor = new Cursor(bytes);
  header(cursor);
  const format = cursor.text();
  const data = cursor.run();
  return cursor.ok && data.length > 0 ? { kind: 'packed', format, data } : null;
}

function channelsOf(encoding: string): number {
  return { mono8: 1, '8UC1': 1, rgb8: 3, bgr8: 3, '8UC3': 3, rgba8: 4, bgra8: 4 }[encoding] ?? 0;
}

// Four bytes a pixel, as a canvas wants them.
export function rgbaFrom(image: RawImage): Uint8ClampedArray<ArrayBuffer> {
  const channels = channelsOf(image.encoding);
  const blueFirst = image.encoding.startsWith('bgr') || image.encoding === '8UC3';
  const red = channels === 1 ? 0 : blueFirst ? 2 : 0;
  const green = channels === 1 ? 0 : 1;
  const blue = channels === 1 ? 0 : blueFirst ? 0 : 2;
  const out = new Uint8ClampedArray(image.width * image.height * 4);
  let to = 0;
  for (let row = 0; row < image.height; ++row) {
    let from = row * image.step;
    for (let column = 0; column < image.width; ++column, from += channels) {
      out[to++] = image.data[from + red];
      out[to++] = image.data[from + green];
      out[to++] = image.data[from + blue];
      out[to++] = 255;
    }
  }
  return out;
}
