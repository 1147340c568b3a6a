// SPDX-License-Identifier: Apache-2.0
// Payloads as npm sparkplug-payload 1.0.3 writes them, in hexadecimal; spaces are for reading only.
#pragma once

#include <string>
#include <string_view>

namespace tandem::sparkplug::golden {

inline constexpr std::uint64_t time = 1700000000000;  // ms

inline std::string bytes(std::string_view hex) {
  std::string out;
  int high = -1;
  for (const char c : hex) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      out += static_cast<char>(high * 16 + digit);
      high = -1;
    }
  }
  return out;
}

inline std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "0123456789abcdef"[byte >> 4U];
    out += "0123456789abcdef"[byte & 15U];
  }
  return out;
}

inline constexpr std::string_view nbirth =
    "0880d095ffbc31 1212 0a056264536571 1880d095ffbc31 2004 5800 "
    "1221 0a144e6f646520436f6e74726f6c2f52656269727468 1880d095ffbc31 200b 7000 1800";
inline constexpr std::string_view dbirth =
    "0880d095ffbc31 1214 0a0561726d6564 1001 1880d095ffbc31 200b 7000 "
    "122f 0a057370656564 1002 1880d095ffbc31 200a 4a12 0a07656e67556e6974 1207080c42036d2f73 69000000000000e03f "
    "1214 0a056661756c74 1003 1880d095ffbc31 200c 3801 1801";
inline constexpr std::string_view ddata =
    "08e8d795ffbc31 120d100118e8d795ffbc31200b7001 1214100218e8d795ffbc31200a69000000000000d0bf 1802";
inline constexpr std::string_view stale =
    "08e8d795ffbc31 121f 1002 18e8d795ffbc31 200a 3801 4a10 0a075175616c697479 1205080318f403 1803";
inline constexpr std::string_view historical =
    "08e8d795ffbc31 1216 1002 1880d095ffbc31 200a 2801 69000000000000e03f 1804";
inline constexpr std::string_view ndeath = "0880d095ffbc31 1212 0a056264536571 1880d095ffbc31 2004 5800";
inline constexpr std::string_view dcmd_stop =
    "0880d095ffbc31 1220 0a1344657669636520436f6e74726f6c2f73746f70 1880d095ffbc31 200b 7001";

}  // namespace tandem::sparkplug::golden
