// SPDX-License-Identifier: Apache-2.0
// Numbers that MAVLink gives to things, as far as they are used here.
#pragma once

#include <cstdint>

namespace tandem::mavlink {

// Heartbeat.type
namespace vehicle_type {
inline constexpr std::uint8_t ground_station = 6;
inline constexpr std::uint8_t submarine = 12;
inline constexpr std::uint8_t onboard_controller = 18;
}  // namespace vehicle_type

// Heartbeat.autopilot
namespace autopilot {
inline constexpr std::uint8_t ardupilot = 3;
inline constexpr std::uint8_t none = 8;
}  // namespace autopilot

// Bits of Heartbeat.base_mode
namespace base_mode {
inline constexpr std::uint8_t custom = 1;
inline constexpr std::uint8_t guided = 8;
inline constexpr std::uint8_t stabilize = 16;
inline constexpr std::uint8_t manual_input = 64;
inline constexpr std::uint8_t armed = 128;
}  // namespace base_mode

// Heartbeat.system_status
namespace system_status {
inline constexpr std::uint8_t standby = 3;
inline constexpr std::uint8_t active = 4;
inline constexpr std::uint8_t critical = 5;
}  // namespace system_status

// CommandLong.command
namespace command {
inline constexpr std::uint16_t do_mode = 176;           // p1 = 1, p2 = mode
inline constexpr std::uint16_t arm = 400;               // p1 = 1 or 0, p2 = 21196 by force
inline constexpr std::uint16_t message_interval = 511;  // p1 = message id, p2 = us; -1 off, 0 as usual
inline constexpr std::uint16_t request_message = 512;   // p1 = message id
inline constexpr std::uint16_t ekf_source_set = 42007;  // p1 = 1 to 3
}  // namespace command

// CommandAck.result
enum class CommandResult : std::uint8_t {
  accepted = 0,
  temporarily_rejected = 1,
  denied = 2,
  unsupported = 3,
  failed = 4,
  in_progress = 5,
  cancelled = 6,
};

// ParamValue.param_type
enum class ParameterType : std::uint8_t {
  uint8 = 1,
  int8 = 2,
  uint16 = 3,
  int16 = 4,
  uint32 = 5,
  int32 = 6,
  uint64 = 7,
  int64 = 8,
  real32 = 9,
  real64 = 10,
};

// MissionAck.type
enum class MissionResult : std::uint8_t {
  accepted = 0,
  error = 1,
  unsupported_frame = 2,
  unsupported = 3,
  no_space = 4,
  invalid = 5,
  invalid_sequence = 13,
  denied = 14,
  cancelled = 15,
};

// StatusText.severity
namespace severity {
inline constexpr std::uint8_t emergency = 0;
inline constexpr std::uint8_t critical = 2;
inline constexpr std::uint8_t error = 3;
inline constexpr std::uint8_t warning = 4;
inline constexpr std::uint8_t notice = 5;
inline constexpr std::uint8_t info = 6;
}  // namespace severity

}  // namespace tandem::mavlink
