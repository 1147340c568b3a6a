// MAVLink messages: where the vehicle shall go, and where it says it goes. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Wanted position, velocity or acceleration.
struct SetPositionTargetLocalNed {
  static constexpr std::string_view wire_name = "SET_POSITION_TARGET_LOCAL_NED";
  static constexpr std::uint32_t wire_id = 84;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &SetPositionTargetLocalNed::time_boot_ms),
                  field("target_system", &SetPositionTargetLocalNed::target_system),
                  field("target_component", &SetPositionTargetLocalNed::target_component),
                  field("coordinate_frame", &SetPositionTargetLocalNed::coordinate_frame),
                  field("type_mask", &SetPositionTargetLocalNed::type_mask),
                  field("x", &SetPositionTargetLocalNed::x),
                  field("y", &SetPositionTargetLocalNed::y),
                  field("z", &SetPositionTargetLocalNed::z),
                  field("vx", &SetPositionTargetLocalNed::vx),
                  field("vy", &SetPositionTargetLocalNed::vy),
                  field("vz", &SetPositionTargetLocalNed::vz),
                  field("afx", &SetPositionTargetLocalNed::afx),
                  field("afy", &SetPositionTargetLocalNed::afy),
                  field("afz", &SetPositionTargetLocalNed::afz),
                  field("yaw", &SetPositionTargetLocalNed::yaw),
                  field("yaw_rate", &SetPositionTargetLocalNed::yaw_rate)};
  }
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
  bool operator==(const SetPositionTargetLocalNed&) const = default;
};

// What the controller holds.
struct PositionTargetLocalNed {
  static constexpr std::string_view wire_name = "POSITION_TARGET_LOCAL_NED";
  static constexpr std::uint32_t wire_id = 85;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &PositionTargetLocalNed::time_boot_ms),
                  field("coordinate_frame", &PositionTargetLocalNed::coordinate_frame),
                  field("type_mask", &PositionTargetLocalNed::type_mask),
                  field("x", &PositionTargetLocalNed::x),
                  field("y", &PositionTargetLocalNed::y),
                  field("z", &PositionTargetLocalNed::z),
                  field("vx", &PositionTargetLocalNed::vx),
                  field("vy", &PositionTargetLocalNed::vy),
                  field("vz", &PositionTargetLocalNed::vz),
                  field("afx", &PositionTargetLocalNed::afx),
                  field("afy", &PositionTargetLocalNed::afy),
                  field("afz", &PositionTargetLocalNed::afz),
                  field("yaw", &PositionTargetLocalNed::yaw),
                  field("yaw_rate", &PositionTargetLocalNed::yaw_rate)};
  }
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
  bool operator==(const PositionTargetLocalNed&) const = default;
};

// The same on Earth.
struct SetPositionTargetGlobalInt {
  static constexpr std::string_view wire_name = "SET_POSITION_TARGET_GLOBAL_INT";
  static constexpr std::uint32_t wire_id = 86;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &SetPositionTargetGlobalInt::time_boot_ms),
                  field("target_system", &SetPositionTargetGlobalInt::target_system),
                  field("target_component", &SetPositionTargetGlobalInt::target_component),
                  field("coordinate_frame", &SetPositionTargetGlobalInt::coordinate_frame),
                  field("type_mask", &SetPositionTargetGlobalInt::type_mask),
                  field("lat_int", &SetPositionTargetGlobalInt::lat_int),
                  field("lon_int", &SetPositionTargetGlobalInt::lon_int),
                  field("alt", &SetPositionTargetGlobalInt::alt),
                  field("vx", &SetPositionTargetGlobalInt::vx),
                  field("vy", &SetPositionTargetGlobalInt::vy),
                  field("vz", &SetPositionTargetGlobalInt::vz),
                  field("afx", &SetPositionTargetGlobalInt::afx),
                  field("afy", &SetPositionTargetGlobalInt::afy),
                  field("afz", &SetPositionTargetGlobalInt::afz),
                  field("yaw", &SetPositionTargetGlobalInt::yaw),
                  field("yaw_rate", &SetPositionTargetGlobalInt::yaw_rate)};
  }
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
  bool operator==(const SetPositionTargetGlobalInt&) const = default;
};

// What the controller holds, on Earth.
struct PositionTargetGlobalInt {
  static constexpr std::string_view wire_name = "POSITION_TARGET_GLOBAL_INT";
  static constexpr std::uint32_t wire_id = 87;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &PositionTargetGlobalInt::time_boot_ms),
                  field("coordinate_frame", &PositionTargetGlobalInt::coordinate_frame),
                  field("type_mask", &PositionTargetGlobalInt::type_mask),
                  field("lat_int", &PositionTargetGlobalInt::lat_int),
                  field("lon_int", &PositionTargetGlobalInt::lon_int),
                  field("alt", &PositionTargetGlobalInt::alt),
                  field("vx", &PositionTargetGlobalInt::vx),
                  field("vy", &PositionTargetGlobalInt::vy),
                  field("vz", &PositionTargetGlobalInt::vz),
                  field("afx", &PositionTargetGlobalInt::afx),
                  field("afy", &PositionTargetGlobalInt::afy),
                  field("afz", &PositionTargetGlobalInt::afz),
                  field("yaw", &PositionTargetGlobalInt::yaw),
                  field("yaw_rate", &PositionTargetGlobalInt::yaw_rate)};
  }
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
  bool operator==(const PositionTargetGlobalInt&) const = default;
};

// Wanted attitude or body rates.
struct SetAttitudeTarget {
  static constexpr std::string_view wire_name = "SET_ATTITUDE_TARGET";
  static constexpr std::uint32_t wire_id = 82;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &SetAttitudeTarget::time_boot_ms),
                  field("target_system", &SetAttitudeTarget::target_system),
                  field("target_component", &SetAttitudeTarget::target_component),
                  field("type_mask", &SetAttitudeTarget::type_mask),
                  field("q", &SetAttitudeTarget::q),
                  field("body_roll_rate", &SetAttitudeTarget::body_roll_rate),
                  field("body_pitch_rate", &SetAttitudeTarget::body_pitch_rate),
                  field("body_yaw_rate", &SetAttitudeTarget::body_yaw_rate),
                  field("thrust", &SetAttitudeTarget::thrust)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t type_mask = 0;
  std::array<float, 4> q{};
  float body_roll_rate = 0;   // rad/s
  float body_pitch_rate = 0;  // rad/s
  float body_yaw_rate = 0;    // rad/s
  float thrust = 0;
  bool operator==(const SetAttitudeTarget&) const = default;
};

// What the attitude controller holds.
struct AttitudeTarget {
  static constexpr std::string_view wire_name = "ATTITUDE_TARGET";
  static constexpr std::uint32_t wire_id = 83;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &AttitudeTarget::time_boot_ms),
                  field("type_mask", &AttitudeTarget::type_mask),
                  field("q", &AttitudeTarget::q),
                  field("body_roll_rate", &AttitudeTarget::body_roll_rate),
                  field("body_pitch_rate", &AttitudeTarget::body_pitch_rate),
                  field("body_yaw_rate", &AttitudeTarget::body_yaw_rate),
                  field("thrust", &AttitudeTarget::thrust)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t type_mask = 0;
  std::array<float, 4> q{};
  float body_roll_rate = 0;   // rad/s
  float body_pitch_rate = 0;  // rad/s
  float body_yaw_rate = 0;    // rad/s
  float thrust = 0;
  bool operator==(const AttitudeTarget&) const = default;
};

}  // namespace tandem::mavlink
