// SPDX-License-Identifier: Apache-2.0
// What the gantry is: travel, limits and the register table that its machine and its virtual device share.
#pragma once

#include <array>

#include "tandem/protocols/modbus/registers.hpp"

namespace gantry {

using Axes = std::array<double, 2>;                      // x and y
inline constexpr Axes travel = {1.2, 0.8};               // m, from 0
inline constexpr double top_speed = 0.4, braking = 0.5;  // m/s, m/s^2, each axis
inline constexpr double watchdog = 0.5;                  // s without a command; then the PLC stops by itself

// Rows of the register table; all are holding registers. The PLC writes the first block, the machine the second.
enum Row : std::size_t { enabled, fault, beat, x, y, vx, vy, enable, turn, want_x, want_y };
inline constexpr std::uint16_t feedback_at = 0, command_at = 16;
inline constexpr std::size_t feedback_words = 7, command_words = 4;

inline const tandem::modbus::RegisterTable& registers() {
  using tandem::modbus::Encoding, tandem::modbus::Range, tandem::modbus::Register, tandem::modbus::WordOrder;
  const auto count = [](const char* name, std::uint16_t address, double most) {
    return Register{name, address, 16, WordOrder::abcd, Encoding::unsigned_integer, 1, 1, "", Range{0, most}};
  };
  const auto metres = [](const char* name, std::uint16_t address, double low, double high, const char* unit) {
    return Register{name, address, 16, WordOrder::abcd, Encoding::signed_integer, 1e4, 1, unit, Range{low, high}};
  };
  static const tandem::modbus::RegisterTable table({
      count("enabled", 0, 1),
      count("fault", 1, 65535),  // 0: none
      count("beat", 2, 65535),   // counts the PLC's cycles
      metres("x", 3, -0.05, travel[0] + 0.05, "m"),
      metres("y", 4, -0.05, travel[1] + 0.05, "m"),
      metres("vx", 5, -2, 2, "m/s"),
      metres("vy", 6, -2, 2, "m/s"),
      count("enable", 16, 1),
      count("turn", 17, 65535),  // changes with every command
      metres("want_x", 18, -top_speed, top_speed, "m/s"),
      metres("want_y", 19, -top_speed, top_speed, "m/s"),
  });
  return table;
}

}  // namespace gantry
