// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: where the vehicle shall go, and where it says it goes. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Wanted position, velocity or acceleration.
struct SetPositionTargetLocalNed {
  static constexpr std::string_view wire_name = "SET_POSITION_TARGET_LOCAL_NED";
  static constexpr std::uint32_t wire_id = 84;
  TANDEM_FIELDS(SetPositionTargetLocalNed, time_boot_ms, target_system, target_component, coordinate_frame, type_mask,
                x, y, z, vx, vy, vz, afx, afy, afz, yaw, yaw_rate);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  float x = 0;         // m
  float y = 0;         // m
  float z = 0;         // m
  float vx = 0;        // m/s
  float vy = 0;        // m/s
  float vz = 0;        // m/s
  float afx = 0;       // m/s/s
  float afy = 0;       // m/s/s
  float afz = 0;       // m/s/s
  float yaw = 0;       // rad
  float yaw_rate = 0;  // rad/s
};

// What the controller holds.
struct PositionTargetLocalNed {
  static constexpr std::string_view wire_name = "POSITION_TARGET_LOCAL_NED";
  static constexpr std::uint32_t wire_id = 85;
  TANDEM_FIELDS(PositionTargetLocalNed, time_boot_ms, coordinate_frame, type_mask, x, y, z, vx, vy, vz, afx, afy, afz,
                yaw, yaw_rate);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  float x = 0;         // m
  float y = 0;         // m
  float z = 0;         // m
  float vx = 0;        // m/s
  float vy = 0;        // m/s
  float vz = 0;        // m/s
  float afx = 0;       // m/s/s
  float afy = 0;       // m/s/s
  float afz = 0;       // m/s/s
  float yaw = 0;       // rad
  float yaw_rate = 0;  // rad/s
};

// The same on Earth.
struct SetPositionTargetGlobalInt {
  static constexpr std::string_view wire_name = "SET_POSITION_TARGET_GLOBAL_INT";
  static constexpr std::uint32_t wire_id = 86;
  TANDEM_FIELDS(SetPositionTargetGlobalInt, time_boot_ms, target_system, target_component, coordinate_frame, type_mask,
                lat_int, lon_int, alt, vx, vy, vz, afx, afy, afz, yaw, yaw_rate);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  std::int32_t lat_int = 0;  // 1e-7 deg
  std::int32_t lon_int = 0;  // 1e-7 deg
  float alt = 0;             // m
  float vx = 0;              // m/s
  float vy = 0;              // m/s
  float vz = 0;              // m/s
  float afx = 0;             // m/s/s
  float afy = 0;             // m/s/s
  float afz = 0;             // m/s/s
  float yaw = 0;             // rad
  float yaw_rate = 0;        // rad/s
};

// What the controller holds, on Earth.
struct PositionTargetGlobalInt {
  static constexpr std::string_view wire_name = "POSITION_TARGET_GLOBAL_INT";
  static constexpr std::uint32_t wire_id = 87;
  TANDEM_FIELDS(PositionTargetGlobalInt, time_boot_ms, coordinate_frame, type_mask, lat_int, lon_int, alt, vx, vy, vz,
                afx, afy, afz, yaw, yaw_rate);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  std::int32_t lat_int = 0;  // 1e-7 deg
  std::int32_t lon_int = 0;  // 1e-7 deg
  float alt = 0;             // m
  float vx = 0;              // m/s
  float vy = 0;              // m/s
  float vz = 0;              // m/s
  float afx = 0;             // m/s/s
  float afy = 0;             // m/s/s
  float afz = 0;             // m/s/s
  float yaw = 0;             // rad
  float yaw_rate = 0;        // rad/s
};

// Wanted attitude or body rates.
struct SetAttitudeTarget {
  static constexpr std::string_view wire_name = "SET_ATTITUDE_TARGET";
  static constexpr std::uint32_t wire_id = 82;
  TANDEM_FIELDS(SetAttitudeTarget, time_boot_ms, target_system, target_component, type_mask, q, body_roll_rate,
                body_pitch_rate, body_yaw_rate, thrust);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t type_mask = 0;
  std::array<float, 4> q{};
  float body_roll_rate = 0;   // rad/s
  float body_pitch_rate = 0;  // rad/s
  float body_yaw_rate = 0;    // rad/s
  float thrust = 0;
};

// What the attitude controller holds.
struct AttitudeTarget {
  static constexpr std::string_view wire_name = "ATTITUDE_TARGET";
  static constexpr std::uint32_t wire_id = 83;
  TANDEM_FIELDS(AttitudeTarget, time_boot_ms, type_mask, q, body_roll_rate, body_pitch_rate, body_yaw_rate, thrust);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t type_mask = 0;
  std::array<float, 4> q{};
  float body_roll_rate = 0;   // rad/s
  float body_pitch_rate = 0;  // rad/s
  float body_yaw_rate = 0;    // rad/s
  float thrust = 0;
};

}  // namespace tandem::mavlink
