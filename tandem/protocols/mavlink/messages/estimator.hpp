// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: what the estimator and the controllers say about themselves. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// What a pilot wants to see at a glance.
struct VfrHud {
  static constexpr std::string_view wire_name = "VFR_HUD";
  static constexpr std::uint32_t wire_id = 74;
  TANDEM_FIELDS(VfrHud, airspeed, groundspeed, heading, throttle, alt, climb);
  float airspeed = 0;          // m/s
  float groundspeed = 0;       // m/s
  std::int16_t heading = 0;    // deg
  std::uint16_t throttle = 0;  // %
  float alt = 0;               // m
  float climb = 0;             // m/s
};

// How sure the estimator is, and of what.
struct EkfStatusReport {
  static constexpr std::string_view wire_name = "EKF_STATUS_REPORT";
  static constexpr std::uint32_t wire_id = 193;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, EkfStatusReport, flags, velocity_variance, pos_horiz_variance, pos_vert_variance,
                              compass_variance, terrain_alt_variance),
                  TANDEM_EACH(extension, EkfStatusReport, airspeed_variance)};
  }
  std::uint16_t flags = 0;
  float velocity_variance = 0;
  float pos_horiz_variance = 0;
  float pos_vert_variance = 0;
  float compass_variance = 0;
  float terrain_alt_variance = 0;
  float airspeed_variance = 0;
  bool operator==(const EkfStatusReport&) const = default;
};

// The same, of other autopilots.
struct EstimatorStatus {
  static constexpr std::string_view wire_name = "ESTIMATOR_STATUS";
  static constexpr std::uint32_t wire_id = 230;
  TANDEM_FIELDS(EstimatorStatus, time_usec, flags, vel_ratio, pos_horiz_ratio, pos_vert_ratio, mag_ratio, hagl_ratio,
                tas_ratio, pos_horiz_accuracy, pos_vert_accuracy);
  std::uint64_t time_usec = 0;  // us
  std::uint16_t flags = 0;
  float vel_ratio = 0;
  float pos_horiz_ratio = 0;
  float pos_vert_ratio = 0;
  float mag_ratio = 0;
  float hagl_ratio = 0;
  float tas_ratio = 0;
  float pos_horiz_accuracy = 0;  // m
  float pos_vert_accuracy = 0;   // m
};

// Gyro drift and errors of the attitude filter.
struct Ahrs {
  static constexpr std::string_view wire_name = "AHRS";
  static constexpr std::uint32_t wire_id = 163;
  TANDEM_FIELDS(Ahrs, omegaIx, omegaIy, omegaIz, accel_weight, renorm_val, error_rp, error_yaw);
  float omegaIx = 0;  // rad/s
  float omegaIy = 0;  // rad/s
  float omegaIz = 0;  // rad/s
  float accel_weight = 0;
  float renorm_val = 0;
  float error_rp = 0;
  float error_yaw = 0;
};

// The second attitude estimate.
struct Ahrs2 {
  static constexpr std::string_view wire_name = "AHRS2";
  static constexpr std::uint32_t wire_id = 178;
  TANDEM_FIELDS(Ahrs2, roll, pitch, yaw, altitude, lat, lng);
  float roll = 0;        // rad
  float pitch = 0;       // rad
  float yaw = 0;         // rad
  float altitude = 0;    // m
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lng = 0;  // 1e-7 deg
};

// The truth, from a simulator.
struct Simstate {
  static constexpr std::string_view wire_name = "SIMSTATE";
  static constexpr std::uint32_t wire_id = 164;
  TANDEM_FIELDS(Simstate, roll, pitch, yaw, xacc, yacc, zacc, xgyro, ygyro, zgyro, lat, lng);
  float roll = 0;        // rad
  float pitch = 0;       // rad
  float yaw = 0;         // rad
  float xacc = 0;        // m/s/s
  float yacc = 0;        // m/s/s
  float zacc = 0;        // m/s/s
  float xgyro = 0;       // rad/s
  float ygyro = 0;       // rad/s
  float zgyro = 0;       // rad/s
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lng = 0;  // 1e-7 deg
};

// Vibration and clipping of the accelerometers.
struct Vibration {
  static constexpr std::string_view wire_name = "VIBRATION";
  static constexpr std::uint32_t wire_id = 241;
  TANDEM_FIELDS(Vibration, time_usec, vibration_x, vibration_y, vibration_z, clipping_0, clipping_1, clipping_2);
  std::uint64_t time_usec = 0;  // us
  float vibration_x = 0;
  float vibration_y = 0;
  float vibration_z = 0;
  std::uint32_t clipping_0 = 0;
  std::uint32_t clipping_1 = 0;
  std::uint32_t clipping_2 = 0;
};

// What the navigation controller wants.
struct NavControllerOutput {
  static constexpr std::string_view wire_name = "NAV_CONTROLLER_OUTPUT";
  static constexpr std::uint32_t wire_id = 62;
  TANDEM_FIELDS(NavControllerOutput, nav_roll, nav_pitch, nav_bearing, target_bearing, wp_dist, alt_error, aspd_error,
                xtrack_error);
  float nav_roll = 0;               // deg
  float nav_pitch = 0;              // deg
  std::int16_t nav_bearing = 0;     // deg
  std::int16_t target_bearing = 0;  // deg
  std::uint16_t wp_dist = 0;        // m
  float alt_error = 0;              // m
  float aspd_error = 0;             // m/s
  float xtrack_error = 0;           // m
};

}  // namespace tandem::mavlink
