// SPDX-License-Identifier: Apache-2.0
// CRC-32 by its definition, bit by bit.
export function crc32(bytes) {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; ++bit) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  }
  return ~remainder >>> 0;
}
