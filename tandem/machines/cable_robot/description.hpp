// SPDX-License-Identifier: Apache-2.0
// The cable robot's winches on Modbus TCP: the register map, limits and times. What the bridge and the virtual winches
// share, and all they share. The seed names no field protocol, so this map is ours. Registers travel high byte first;
// 32-bit values are signed, high word first (abcd).
#pragma once

#include <cstdint>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/machines/cable_robot/winches.hpp"

namespace tandem::cable_robot {

inline constexpr std::uint16_t standard_port = 1503;

// Raw numbers per unit, of every 32-bit value.
inline constexpr double length_scale = 1e7;   // per m: 0.1 um, up to 214 m
inline constexpr double speed_scale = 1e6;    // per m/s
inline constexpr double tension_scale = 1e3;  // per N: mN, up to 2 MN

// Holding registers 0 on: one block, written whole with function 16 (or 23). Writing less of it is refused, so that no
// winch can act on half an order. 4 + 6 n words.
namespace command {
inline constexpr std::uint16_t start = 0;
inline constexpr std::uint16_t counter = 0;  // any change feeds the watchdog
inline constexpr std::uint16_t mode = 1;     // WinchMode
inline constexpr std::uint16_t enable = 2;   // one bit for each winch
inline constexpr std::uint16_t spare = 3;    // 0
inline constexpr std::uint16_t first = 4;    // of winch 0
inline constexpr std::uint16_t stride = 6;
inline constexpr std::uint16_t length = 0, speed = 2, tension = 4;  // within a winch
constexpr std::uint16_t count(int winches) { return static_cast<std::uint16_t>(first + stride * winches); }
}  // namespace command

// Holding registers 200 on, read-only, and the same as input registers 0 on. 8 + 7 n words.
namespace feedback {
inline constexpr std::uint16_t start = 200;
inline constexpr std::uint16_t counter = 0;  // the last command's, echoed
inline constexpr std::uint16_t status = 1;   // bits below
inline constexpr std::uint16_t enabled = 2;  // one bit for each winch
inline constexpr std::uint16_t faults = 3;   // one bit for each winch: a latched flag is set
inline constexpr std::uint16_t mode = 4;     // WinchMode, as it is now
inline constexpr std::uint16_t winches = 5;  // how many there are
inline constexpr std::uint16_t beat = 6;     // counts the device's cycles
inline constexpr std::uint16_t version = 7;  // of this map: 1
inline constexpr std::uint16_t first = 8;    // of winch 0
inline constexpr std::uint16_t stride = 7;
inline constexpr std::uint16_t length = 0, speed = 2, tension = 4, flags = 6;  // within a winch
constexpr std::uint16_t count(int of_winches) { return static_cast<std::uint16_t>(first + stride * of_winches); }
inline constexpr std::uint16_t status_ready = 1, status_enabled = 2, status_fault = 4, status_watchdog = 8;
}  // namespace feedback

// Holding registers 400 on: limits, 32-bit each; written only while no winch is enabled.
namespace limits {
inline constexpr std::uint16_t start = 400;
inline constexpr std::uint16_t shortest = 0, longest = 2;             // m, unwound
inline constexpr std::uint16_t speed = 4, acceleration = 6;           // m/s, m/s^2 (speed_scale)
inline constexpr std::uint16_t least_tension = 8, most_tension = 10;  // N: slack is reported, overload latches
inline constexpr std::uint16_t following = 12;                        // m: a drum further off than this is stuck
inline constexpr std::uint16_t watchdog = 14;  // ms, unsigned: without a command for this long, hold
inline constexpr std::uint16_t count = 16;
}  // namespace limits

// Coils, and discrete inputs of the same addresses.
namespace coils {
inline constexpr std::uint16_t reset = 0;  // a rising edge clears latched faults while no winch is enabled
inline constexpr std::uint16_t stop = 1;   // high: quick stop, all brakes close, enables are refused
inline constexpr std::uint16_t count = 2;
}  // namespace coils

// Input registers that no real winch has: where the virtual platform truly is. 32-bit each.
namespace truth {
inline constexpr std::uint16_t start = 1000;
// x, y, z (length_scale), then qx, qy, qz, qw (1e9), then the tensions in the cables (tension_scale).
inline constexpr std::uint16_t first_tension = 14;
inline constexpr double quaternion_scale = 1e9;
constexpr std::uint16_t count(int winches) { return static_cast<std::uint16_t>(first_tension + 2 * winches); }
}  // namespace truth

struct WinchLimits {
  double shortest = 0.02, longest = 2;           // m
  double speed = 1, acceleration = 20;           // m/s, m/s^2
  double least_tension = 1, most_tension = 150;  // N; the controller keeps within the robot's narrower range
  double following = 0.02;                       // m
  double watchdog = 0.1;                         // s
};

// Seconds, all of them configuration.
struct Times {
  double cycle = 0.002;
  double feedback = 0.1;  // old feedback is stale: disarm
  double response = 0.1;  // for one answer
  double link = 0.5;      // without an answer: the link is lost
  double log = 2;         // between lines of the same kind
};

}  // namespace tandem::cable_robot
