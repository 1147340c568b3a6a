// SPDX-License-Identifier: Apache-2.0
// What the autopilot says about the vehicle, as one value that threads can hand over. World ENU, body FLU.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/orca/sighting.hpp"
#include "tandem/protocols/mavlink/link/heartbeat.hpp"

namespace tandem::orca {

inline constexpr Duration ekf_memory = 3s;  // an older report of the estimator does not count

// Instants are of our clock; the epoch when a thing was never reported.
struct Vehicle {
  mavlink::Presence presence = mavlink::Presence::never;
  bool armed = false;
  bool manual_input = false;
  std::uint32_t mode = 0;  // ArduSub's number
  std::uint8_t system_status = 0;
  Instant heartbeat_at{};

  PlainPose X_map_base;              // x and y: the last known, zero before the first; see estimates_position
  std::array<double, 3> velocity{};  // m/s, of the body in map; the same
  std::array<double, 3> rates{};     // rad/s, about the body's axes
  Instant attitude_at{}, position_at{};
  bool estimates_position = false;  // x, y and velocity are those of the present, and not only the depth is known

  double latitude = 0, longitude = 0;          // degrees
  double altitude = 0, relative_altitude = 0;  // m above the sea, and above home
  double heading = -1;                         // degrees from north to east; negative if not reported
  Instant global_at{};

  std::uint16_t ekf_flags = 0;
  // Velocity, horizontal and vertical position, compass, terrain, airspeed.
  std::array<float, 6> ekf_variances{};
  Instant ekf_at{};

  std::uint8_t pilot_system = 255;  // whose sticks it obeys
  ShortText<300> advice;            // what of its settings keeps vision from working; empty when nothing does
  ShortText<200> failsafe_advice;   // which of them would let it thrust on after we are gone

  double sonar = 0;  // m, as it was reported
  Instant sonar_at{};

  double voltage = 0, current = 0;  // V, A
  double charge = -1;               // share, 0 to 1; negative if not reported
  Instant battery_at{};

  std::uint16_t mission_item = 0, mission_total = 0;
  bool has_origin = false;

  std::uint64_t frames = 0;    // from it
  std::uint64_t rejected = 0;  // of them: NaN or infinity, or older than what is known
  std::uint64_t reboots = 0;
  std::uint64_t estimate_jumps = 0;
  double loss = 0;           // share of frames that did not arrive, 0 to 1
  Duration round_trip{};     // to it and back, the last one that was measured
  ShortText<100> text;       // its last words
  ShortText<100> objection;  // the last of them that says why it does not arm
  Instant objected_at{};
  std::uint8_t severity = 6;
  std::uint64_t texts = 0;

  // As its estimator reports; false before it has.
  bool knows_attitude() const {
    return ekf_at != Instant{} && (ekf_flags & ekf::attitude) != 0 && (ekf_flags & ekf::uninitialised) == 0;
  }
  bool guided() const { return mode == static_cast<std::uint32_t>(Mode::guided); }
  // rad, from east to north.
  double yaw() const {
    const Eigen::Matrix3d R = pose_from(X_map_base).linear();
    return std::atan2(R(1, 0), R(0, 0));
  }
};

}  // namespace tandem::orca
