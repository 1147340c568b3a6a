// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: where the vehicle is and how it moves, as its estimator says. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Body FRD in local NED, as angles.
struct Attitude {
  static constexpr std::string_view wire_name = "ATTITUDE";
  static constexpr std::uint32_t wire_id = 30;
  TANDEM_FIELDS(Attitude, time_boot_ms, roll, pitch, yaw, rollspeed, pitchspeed, yawspeed);
  std::uint32_t time_boot_ms = 0;  // ms
  float roll = 0;                  // rad
  float pitch = 0;                 // rad
  float yaw = 0;                   // rad
  float rollspeed = 0;             // rad/s
  float pitchspeed = 0;            // rad/s
  float yawspeed = 0;              // rad/s
};

// The same as a quaternion, w first.
struct AttitudeQuaternion {
  static constexpr std::string_view wire_name = "ATTITUDE_QUATERNION";
  static constexpr std::uint32_t wire_id = 31;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, AttitudeQuaternion, time_boot_ms, q1, q2, q3, q4, rollspeed, pitchspeed, yawspeed),
                  TANDEM_EACH(extension, AttitudeQuaternion, repr_offset_q)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  float q1 = 0;
  float q2 = 0;
  float q3 = 0;
  float q4 = 0;
  float rollspeed = 0;   // rad/s
  float pitchspeed = 0;  // rad/s
  float yawspeed = 0;    // rad/s
  std::array<float, 4> repr_offset_q{};
  bool operator==(const AttitudeQuaternion&) const = default;
};

// Position and velocity, local NED.
struct LocalPositionNed {
  static constexpr std::string_view wire_name = "LOCAL_POSITION_NED";
  static constexpr std::uint32_t wire_id = 32;
  TANDEM_FIELDS(LocalPositionNed, time_boot_ms, x, y, z, vx, vy, vz);
  std::uint32_t time_boot_ms = 0;  // ms
  float x = 0;                     // m
  float y = 0;                     // m
  float z = 0;                     // m
  float vx = 0;                    // m/s
  float vy = 0;                    // m/s
  float vz = 0;                    // m/s
};

// Position on Earth.
struct GlobalPositionInt {
  static constexpr std::string_view wire_name = "GLOBAL_POSITION_INT";
  static constexpr std::uint32_t wire_id = 33;
  TANDEM_FIELDS(GlobalPositionInt, time_boot_ms, lat, lon, alt, relative_alt, vx, vy, vz, hdg);
  std::uint32_t time_boot_ms = 0;  // ms
  std::int32_t lat = 0;            // 1e-7 deg
  std::int32_t lon = 0;            // 1e-7 deg
  std::int32_t alt = 0;            // mm
  std::int32_t relative_alt = 0;   // mm
  std::int16_t vx = 0;             // cm/s
  std::int16_t vy = 0;             // cm/s
  std::int16_t vz = 0;             // cm/s
  std::uint16_t hdg = 0;           // 0.01 deg
};

// Where local NED has its origin.
struct GpsGlobalOrigin {
  static constexpr std::string_view wire_name = "GPS_GLOBAL_ORIGIN";
  static constexpr std::uint32_t wire_id = 49;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, GpsGlobalOrigin, latitude, longitude, altitude),
                  TANDEM_EACH(extension, GpsGlobalOrigin, time_usec)};
  }
  std::int32_t latitude = 0;    // 1e-7 deg
  std::int32_t longitude = 0;   // 1e-7 deg
  std::int32_t altitude = 0;    // mm
  std::uint64_t time_usec = 0;  // us
  bool operator==(const GpsGlobalOrigin&) const = default;
};

// Puts it there.
struct SetGpsGlobalOrigin {
  static constexpr std::string_view wire_name = "SET_GPS_GLOBAL_ORIGIN";
  static constexpr std::uint32_t wire_id = 48;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, SetGpsGlobalOrigin, target_system, latitude, longitude, altitude),
                  TANDEM_EACH(extension, SetGpsGlobalOrigin, time_usec)};
  }
  std::uint8_t target_system = 0;
  std::int32_t latitude = 0;    // 1e-7 deg
  std::int32_t longitude = 0;   // 1e-7 deg
  std::int32_t altitude = 0;    // mm
  std::uint64_t time_usec = 0;  // us
  bool operator==(const SetGpsGlobalOrigin&) const = default;
};

// Where the vehicle returns to.
struct HomePosition {
  static constexpr std::string_view wire_name = "HOME_POSITION";
  static constexpr std::uint32_t wire_id = 242;
  static constexpr auto fields() {
    return Fields{
        TANDEM_EACH(field, HomePosition, latitude, longitude, altitude, x, y, z, q, approach_x, approach_y, approach_z),
        TANDEM_EACH(extension, HomePosition, time_usec)};
  }
  std::int32_t latitude = 0;   // 1e-7 deg
  std::int32_t longitude = 0;  // 1e-7 deg
  std::int32_t altitude = 0;   // mm
  float x = 0;                 // m
  float y = 0;                 // m
  float z = 0;                 // m
  std::array<float, 4> q{};
  float approach_x = 0;         // m
  float approach_y = 0;         // m
  float approach_z = 0;         // m
  std::uint64_t time_usec = 0;  // us
  bool operator==(const HomePosition&) const = default;
};

// Puts it there.
struct SetHomePosition {
  static constexpr std::string_view wire_name = "SET_HOME_POSITION";
  static constexpr std::uint32_t wire_id = 243;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, SetHomePosition, target_system, latitude, longitude, altitude, x, y, z, q,
                              approach_x, approach_y, approach_z),
                  TANDEM_EACH(extension, SetHomePosition, time_usec)};
  }
  std::uint8_t target_system = 0;
  std::int32_t latitude = 0;   // 1e-7 deg
  std::int32_t longitude = 0;  // 1e-7 deg
  std::int32_t altitude = 0;   // mm
  float x = 0;                 // m
  float y = 0;                 // m
  float z = 0;                 // m
  std::array<float, 4> q{};
  float approach_x = 0;         // m
  float approach_y = 0;         // m
  float approach_z = 0;         // m
  std::uint64_t time_usec = 0;  // us
  bool operator==(const SetHomePosition&) const = default;
};

}  // namespace tandem::mavlink
