// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/crc.hpp"

#include <array>

namespace tandem::mavlink {
namespace {

using CrcTable = std::array<std::uint16_t, 256>;

// Table k reports what a byte does to the checksum when k more zero bytes follow it.
constexpr std::array<CrcTable, 8> crc_tables = [] {
  std::array<CrcTable, 8> tables{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::uint16_t crc = crc_add(0, static_cast<std::uint8_t>(byte));
    for (CrcTable& table : tables) {
      table[byte] = crc;
      crc = crc_add(crc, std::uint8_t{0});
    }
  }
  return tables;
}();

// Which byte has this high byte in table 0; every high byte occurs once.
constexpr std::array<std::uint8_t, 256> crc_inverse = [] {
  std::array<std::uint8_t, 256> inverse{};
  for (std::size_t byte = 0; byte < 256; ++byte) inverse[crc_tables[0][byte] >> 8] = static_cast<std::uint8_t>(byte);
  return inverse;
}();

}  // namespace

std::uint16_t crc_add(std::uint16_t crc, Bytes bytes) {
  const std::uint8_t* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    crc = static_cast<std::uint16_t>(crc_tables[7][at[0] ^ (crc & 0xFF)] ^ crc_tables[6][at[1] ^ (crc >> 8)] ^
                                     crc_tables[5][at[2]] ^ crc_tables[4][at[3]] ^ crc_tables[3][at[4]] ^
                                     crc_tables[2][at[5]] ^ crc_tables[1][at[6]] ^ crc_tables[0][at[7]]);
  }
  for (; left > 0; --left, ++at) crc = static_cast<std::uint16_t>((crc >> 8) ^ crc_tables[0][(crc ^ *at) & 0xFF]);
  return crc;
}

std::optional<std::uint8_t> crc_byte_between(std::uint16_t before, std::uint16_t after) {
  const auto change = static_cast<std::uint16_t>(after ^ (before >> 8));
  const std::uint8_t index = crc_inverse[change >> 8];
  if (crc_tables[0][index] != change) return std::nullopt;
  return static_cast<std::uint8_t>(index ^ (before & 0xFF));
}

}  // namespace tandem::mavlink
