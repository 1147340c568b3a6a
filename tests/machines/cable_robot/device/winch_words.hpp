// SPDX-License-Identifier: Apache-2.0
// Command words as a client of the winches would write them, by the published map and not by our own tables.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace tandem::cable_robot::test {

using Words = std::vector<std::uint16_t>;

inline std::int32_t value_at(const Words& words, std::size_t at) {
  return static_cast<std::int32_t>((std::uint32_t{words.at(at)} << 16) | words.at(at + 1));
}

inline void put_value(Words& words, std::size_t at, double raw) {
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(raw)));
  words.at(at) = static_cast<std::uint16_t>(bits >> 16);
  words.at(at + 1) = static_cast<std::uint16_t>(bits & 0xffff);
}

// Mode 1 (length) with the lengths of a feedback block, for eight winches: nothing moves.
inline Words stay_words(const Words& feedback, std::uint16_t counter, std::uint16_t enable) {
  Words words(4 + 6 * 8);
  words[0] = counter;
  words[1] = 1;
  words[2] = enable;
  for (std::size_t i = 0; i < 8; ++i) {
    words[4 + 6 * i] = feedback.at(8 + 7 * i);
    words[5 + 6 * i] = feedback.at(9 + 7 * i);
  }
  return words;
}

}  // namespace tandem::cable_robot::test
