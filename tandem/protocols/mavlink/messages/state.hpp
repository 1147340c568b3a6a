// MAVLink messages: where the vehicle is and how it moves, as its estimator says. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Body FRD in local NED, as angles.
struct Attitude {
  static constexpr std::string_view wire_name = "ATTITUDE";
  static constexpr std::uint32_t wire_id = 30;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &Attitude::time_boot_ms),
                  field("roll", &Attitude::roll),
                  field("pitch", &Attitude::pitch),
                  field("yaw", &Attitude::yaw),
                  field("rollspeed", &Attitude::rollspeed),
                  field("pitchspeed", &Attitude::pitchspeed),
                  field("yawspeed", &Attitude::yawspeed)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  float roll = 0;                  // rad
  float pitch = 0;                 // rad
  float yaw = 0;                   // rad
  float rollspeed = 0;             // rad/s
  float pitchspeed = 0;            // rad/s
  float yawspeed = 0;              // rad/s
  bool operator==(const Attitude&) const = default;
};

// The same as a quaternion, w first.
struct AttitudeQuaternion {
  static constexpr std::string_view wire_name = "ATTITUDE_QUATERNION";
  static constexpr std::uint32_t wire_id = 31;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &AttitudeQuaternion::time_boot_ms),
                  field("q1", &AttitudeQuaternion::q1),
                  field("q2", &AttitudeQuaternion::q2),
                  field("q3", &AttitudeQuaternion::q3),
                  field("q4", &AttitudeQuaternion::q4),
                  field("rollspeed", &AttitudeQuaternion::rollspeed),
                  field("pitchspeed", &AttitudeQuaternion::pitchspeed),
                  field("yawspeed", &AttitudeQuaternion::yawspeed),
                  extension("repr_offset_q", &AttitudeQuaternion::repr_offset_q)};
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
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &LocalPositionNed::time_boot_ms),
                  field("x", &LocalPositionNed::x),
                  field("y", &LocalPositionNed::y),
                  field("z", &LocalPositionNed::z),
                  field("vx", &LocalPositionNed::vx),
                  field("vy", &LocalPositionNed::vy),
                  field("vz", &LocalPositionNed::vz)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  float x = 0;                     // m
  float y = 0;                     // m
  float z = 0;                     // m
  float vx = 0;                    // m/s
  float vy = 0;                    // m/s
  float vz = 0;                    // m/s
  bool operator==(const LocalPositionNed&) const = default;
};

// Position on Earth.
struct GlobalPositionInt {
  static constexpr std::string_view wire_name = "GLOBAL_POSITION_INT";
  static constexpr std::uint32_t wire_id = 33;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &GlobalPositionInt::time_boot_ms),
                  field("lat", &GlobalPositionInt::lat),
                  field("lon", &GlobalPositionInt::lon),
                  field("alt", &GlobalPositionInt::alt),
                  field("relative_alt", &GlobalPositionInt::relative_alt),
                  field("vx", &GlobalPositionInt::vx),
                  field("vy", &GlobalPositionInt::vy),
                  field("vz", &GlobalPositionInt::vz),
                  field("hdg", &GlobalPositionInt::hdg)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::int32_t lat = 0;            // 1e-7 deg
  std::int32_t lon = 0;            // 1e-7 deg
  std::int32_t alt = 0;            // mm
  std::int32_t relative_alt = 0;   // mm
  std::int16_t vx = 0;             // cm/s
  std::int16_t vy = 0;             // cm/s
  std::int16_t vz = 0;             // cm/s
  std::uint16_t hdg = 0;           // 0.01 deg
  bool operator==(const GlobalPositionInt&) const = default;
};

// Where local NED has its origin.
struct GpsGlobalOrigin {
  static constexpr std::string_view wire_name = "GPS_GLOBAL_ORIGIN";
  static constexpr std::uint32_t wire_id = 49;
  static constexpr auto fields() {
    return Fields{field("latitude", &GpsGlobalOrigin::latitude), field("longitude", &GpsGlobalOrigin::longitude),
                  field("altitude", &GpsGlobalOrigin::altitude), extension("time_usec", &GpsGlobalOrigin::time_usec)};
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
    return Fields{field("target_system", &SetGpsGlobalOrigin::target_system),
                  field("latitude", &SetGpsGlobalOrigin::latitude), field("longitude", &SetGpsGlobalOrigin::longitude),
                  field("altitude", &SetGpsGlobalOrigin::altitude),
                  extension("time_usec", &SetGpsGlobalOrigin::time_usec)};
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
    return Fields{field("latitude", &HomePosition::latitude),
                  field("longitude", &HomePosition::longitude),
                  field("altitude", &HomePosition::altitude),
                  field("x", &HomePosition::x),
                  field("y", &HomePosition::y),
                  field("z", &HomePosition::z),
                  field("q", &HomePosition::q),
                  field("approach_x", &HomePosition::approach_x),
                  field("approach_y", &HomePosition::approach_y),
                  field("approach_z", &HomePosition::approach_z),
                  extension("time_usec", &HomePosition::time_usec)};
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
    return Fields{field("target_system", &SetHomePosition::target_system),
                  field("latitude", &SetHomePosition::latitude),
                  field("longitude", &SetHomePosition::longitude),
                  field("altitude", &SetHomePosition::altitude),
                  field("x", &SetHomePosition::x),
                  field("y", &SetHomePosition::y),
                  field("z", &SetHomePosition::z),
                  field("q", &SetHomePosition::q),
                  field("approach_x", &SetHomePosition::approach_x),
                  field("approach_y", &SetHomePosition::approach_y),
                  field("approach_z", &SetHomePosition::approach_z),
                  extension("time_usec", &SetHomePosition::time_usec)};
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
