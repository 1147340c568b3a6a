// SPDX-License-Identifier: Apache-2.0
// Motions of the tool as functions of time: movel, movec, movep, stopl, speedl.
#pragma once

#include "tandem/kinematics/trajectory/curve.hpp"
#include "tandem/kinematics/trajectory/profile.hpp"

namespace tandem::kinematics::trajectory {

struct ToolState {
  Pose X = Pose::Identity();        // base frame
  Vector6 twist = Vector6::Zero();  // m/s, rad/s, base frame
};

// How fast the tool may turn, whatever its way: moves that only turn go at this pace, others are slowed down to it.
struct TurnLimits {
  double speed = 3.14;         // rad/s
  double acceleration = 12.6;  // rad/s^2
};

// A curve at a pace: speed and acceleration in m/s and m/s^2, constant on circles and corners as on lines.
class ToolMove {
 public:
  static Result<ToolMove> make(Curve curve, const Pace& pace, const TurnLimits& limits = {});
  static Result<ToolMove> line(const Pose& from, const Pose& to, const Pace& pace, const TurnLimits& limits = {});

  ToolState sample(double t) const;
  double duration() const { return profile_.duration(); }
  const Profile& profile() const { return profile_; }
  const Curve& curve() const { return curve_; }

 private:
  Curve curve_;
  Profile profile_;
};

// From any twist to rest, straight on and turning on; deceleration in m/s^2 and rad/s^2.
class ToolStop {
 public:
  static Result<ToolStop> make(const Pose& X, const Vector6& twist, double deceleration,
                               double turn_deceleration = TurnLimits{}.acceleration);

  ToolState sample(double t) const;
  double duration() const { return duration_; }

 private:
  Pose X_ = Pose::Identity();
  Vector6 twist_ = Vector6::Zero();
  double duration_ = 0;
};

// Follows a wanted twist with limited acceleration, one step after the other.
class ToolRamp {
 public:
  static Result<ToolRamp> make(const ToolState& start, double acceleration,
                               double turn_acceleration = TurnLimits{}.acceleration);

  // A twist that is not finite is refused and the last one stays.
  Result<void> want(const Vector6& twist);
  const ToolState& step(double dt);
  const ToolState& state() const { return state_; }

 private:
  ToolState state_;
  Vector6 wanted_ = Vector6::Zero();
  double acceleration_ = 0, turn_acceleration_ = 0;
};

}  // namespace tandem::kinematics::trajectory
