// SPDX-License-Identifier: Apache-2.0
// What the RaptorLift bridge knows of the truck, as one value that threads can hand over.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/route_command.hpp"

namespace tandem::raptorlift {

enum class Activity : std::uint8_t {
  idle,      // the motors are disabled; only read
  driving,   // armed and enabled
  stopping,  // braking; at standstill the motors are disabled
};
const char* name(Activity activity);

// Who commands the truck; the others are refused.
enum class Commander : std::uint8_t { internal, joint_commands };

struct State {
  kinematics::ackermann::Wheels measured;    // rad/s, rad
  kinematics::ackermann::Wheels targets;     // what is asked of them
  std::array<double, 2> wheel_angles{};      // rad, the driven wheels' since the start
  std::array<double, 2> steering_rates{};    // rad/s, from one sample to the next
  std::array<double, axis_count> torques{};  // N m, as commanded

  kinematics::ackermann::PlanarPose X_odom_base;
  kinematics::ackermann::PlanarTwist twist;       // of the base frame
  double distance = 0;                            // m
  double slip = 0;                                // m/s
  bool compared = false;                          // with where a virtual truck really is; then:
  double residual = 0, residual_yaw = 0;          // m, rad: how far odometry is off since the first look
  kinematics::ackermann::PlanarPose X_base_true;  // its base frame, as of the last look
  kinematics::ackermann::Twist wanted;            // of the controller, within its limits
  double steering_angle = 0;                      // rad, wanted of the middle wheel

  Activity activity = Activity::idle;
  std::uint64_t enabled = 0;               // how often the motors were enabled: which arm this is
  bool stop_latched = false;               // by the arm latch, as of the last cycle
  bool at_standstill = true;               // by the last sample
  std::array<bool, coils::count> coils{};  // as read back
  ShortText<16> input;                     // who drives: "teleop", ..., "joint_commands"; empty when no one does
  bool task_off = false;                   // another client has driven: the task ends until the next arm
  RouteProgress route;                     // of the newest route command
  int gear = 0;                            // 0: none was reported
  ShortText<160> stopped;                  // why it was stopped last

  std::uint64_t samples = 0;
  std::uint64_t rejected = 0;   // samples that were not believed
  std::uint64_t jumps = 0;      // of them: torn values, most likely
  std::uint64_t timeouts = 0;   // requests that were not answered in time
  std::uint64_t late = 0;       // answers that came after that, or to no one
  std::uint64_t saturated = 0;  // targets out of range
  Instant live_at{};            // when the last live sample was received
  Quality quality = Quality::invalid;
  ShortText<160> why;  // when not live
};

// For people: what the motors do, and by whose command or why: "driving (teleop)", "enabled, at standstill (no
// command)".
std::string activity_text(const State& state);

}  // namespace tandem::raptorlift
