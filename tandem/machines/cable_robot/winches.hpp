// SPDX-License-Identifier: Apache-2.0
// What the winches are commanded and what they report, in SI: the controller's side of the register map.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cable_robot {

enum class WinchMode : std::uint8_t {
  hold = 0,     // brakes closed; cables keep their unwound length
  length = 1,   // each drum follows its unwound length, with the speed as feed-forward
  tension = 2,  // each drum follows its tension, within its speed limit
};
const char* name(WinchMode mode);

struct WinchCommand {
  WinchMode mode = WinchMode::hold;
  cables::PerCable lengths;   // m, unwound and unstretched
  cables::PerCable speeds;    // m/s, positive unwinds
  cables::PerCable tensions;  // N: the target in mode tension; told for the record in mode length
};

// Bits of a winch's own status.
enum class WinchFlag : std::uint16_t {
  enabled = 1 << 0,
  brake = 1 << 1,      // closed
  slack = 1 << 2,      // tension below the limit
  overload = 1 << 3,   // tension above the limit: latched
  at_end = 1 << 4,     // shortest or longest cable
  following = 1 << 5,  // the drum does not follow its command: latched
  sensor = 1 << 6,     // encoder or load cell is broken: latched
};

struct WinchFeedback {
  cables::PerCable lengths;   // m, unwound and unstretched, from the encoder
  cables::PerCable speeds;    // m/s, positive unwinds
  cables::PerCable tensions;  // N, from the load cell
  std::array<std::uint16_t, cables::most_cables> flags{};
  bool ready = false;      // no fault is latched
  bool enabled = false;    // all winches are
  bool watchdog = false;   // it had tripped: commands stopped coming
  std::uint16_t beat = 0;  // counts the device's cycles
};

inline bool has(std::uint16_t flags, WinchFlag flag) { return (flags & static_cast<std::uint16_t>(flag)) != 0; }

}  // namespace tandem::cable_robot
