// SPDX-License-Identifier: Apache-2.0
// How far along a path as a function of time: from rest to rest with a constant acceleration, speed and deceleration.
#pragma once

#include "tandem/base/result.hpp"

namespace tandem::kinematics::trajectory {

// As URScript's moves are given: `time` above zero overrides speed and acceleration.
struct Pace {
  double speed = 1.05;        // rad/s of the leading joint, or m/s of the tool
  double acceleration = 1.4;  // rad/s^2 or m/s^2
  double time = 0;            // s, 0 for as fast as the others allow
};

// "movel: the acceleration must be a number above 0, is -1"; `what` names the move.
Result<void> check(const char* what, const Pace& pace);

struct Progress {
  double s = 0, sd = 0, sdd = 0;  // distance (m or rad), and its derivatives by time
};

class Profile {
 public:
  Profile() = default;

  // As fast as speed and acceleration allow; triangular when the way is too short for the speed.
  static Result<Profile> fastest(double distance, double speed, double acceleration);
  // In exactly this time (s): the ramps take a third of it each.
  static Result<Profile> timed(double distance, double time);

  Progress at(double t) const;  // at rest before 0 and after the end
  double duration() const { return 2 * ramp_ + cruise_; }
  double distance() const { return distance_; }
  double peak_speed() const { return acceleration_ * ramp_; }
  double acceleration() const { return acceleration_; }
  double slowing() const { return ramp_ + cruise_; }  // when the deceleration begins, s
  double time_of(double s) const;                     // when it passes s, s
  // The same in a longer time.
  Profile stretched(double duration) const;

 private:
  Profile(double distance, double acceleration, double ramp, double cruise)
      : distance_(distance), acceleration_(acceleration), ramp_(ramp), cruise_(cruise) {}

  double distance_ = 0, acceleration_ = 0, ramp_ = 0, cruise_ = 0;
};

}  // namespace tandem::kinematics::trajectory
