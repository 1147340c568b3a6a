// SPDX-License-Identifier: Apache-2.0
// The checksum of MAVLink frames: CRC-16/MCRF4XX, also known as X.25 without the final inversion.
#pragma once

#include <cstdint>
#include <optional>

#include "tandem/base/bytes.hpp"

namespace tandem::mavlink {

inline constexpr std::uint16_t crc_start = 0xFFFF;

// One byte more.
constexpr std::uint16_t crc_add(std::uint16_t crc, std::uint8_t byte) {
  auto t = static_cast<std::uint8_t>(byte ^ (crc & 0xFF));
  t = static_cast<std::uint8_t>(t ^ (t << 4));
  return static_cast<std::uint16_t>((crc >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4));
}

// Many bytes more, eight at a time.
std::uint16_t crc_add(std::uint16_t crc, Bytes bytes);

// The one byte that leads from `before` to `after`, if there is one (by chance: once in 256). A frame whose message is
// not known, or is known with another definition, shows thereby that it is whole all the same.
std::optional<std::uint8_t> crc_byte_between(std::uint16_t before, std::uint16_t after);

}  // namespace tandem::mavlink
