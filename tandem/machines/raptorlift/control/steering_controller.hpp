// SPDX-License-Identifier: Apache-2.0
// From a wanted motion of the truck to targets of its wheels, and from measured wheels to where it has gone. Knows no
// clock and no device.
#pragma once

#include <optional>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::raptorlift {

struct SteeringOptions {
  kinematics::ackermann::Geometry geometry{};
  kinematics::ackermann::Limits limits;
  kinematics::ackermann::Point base;  // of the truck's frame, seen from the middle of the traction axle, m
  bool reduce_speed = true;           // until the steering is reached
  double steering_weight = 1;         // of the measured steering in odometry; 0 trusts the driven wheels alone
};

class SteeringController {
 public:
  struct Output {
    kinematics::ackermann::Wheels wheels;  // targets
    kinematics::ackermann::Twist twist;    // what is asked of the truck now, within its limits
    double angle = 0;                      // rad, of a single wheel in the middle of the steering axle
    bool at_limit = false;                 // a tighter turn was wanted than the steering allows
  };

  // The truck's frame starts at the origin of odom.
  explicit SteeringController(const SteeringOptions& options);

  // Targets `dt` seconds after the last ones. No reference, or one of all zeros: the truck slows down to a stop on the
  // arc it is on, and its steering stays. Numbers that are not finite are errors, and nothing changes.
  Result<Output> step(const std::optional<kinematics::ackermann::Twist>& reference,
                      const kinematics::ackermann::Wheels& measured, double dt);
  // It is not ours that moves the truck now: the next step starts at rest, with the steering where it is.
  void rest(const kinematics::ackermann::Wheels& measured);
  // At most this much speed each way, m/s; 0 and above.
  void limit_speed(double most) { most_speed_ = most; }

  // One measurement `dt` seconds after the last one. Numbers that are not finite are errors.
  Result<void> observe(const kinematics::ackermann::Wheels& measured, double dt);
  // Measurements are missing.
  void pause() { odometry_.pause(); }
  // The truck is said to be here.
  void place(const kinematics::ackermann::PlanarPose& X_odom_base);

  const kinematics::ackermann::PlanarPose& X_odom_axle() const { return odometry_.axle(); }
  kinematics::ackermann::PlanarPose X_odom_base() const { return odometry_.at(options_.base); }
  kinematics::ackermann::PlanarTwist base_twist() const {
    return kinematics::ackermann::twist_at(options_.base, odometry_.twist());
  }
  double distance() const { return odometry_.distance(); }  // m
  double slip() const { return slip_; }                     // m/s, of the last measurement
  const SteeringOptions& options() const { return options_; }

 private:
  kinematics::ackermann::PlanarPose axle_from_base(const kinematics::ackermann::PlanarPose& X_odom_base) const;

  SteeringOptions options_;
  double most_speed_;
  kinematics::ackermann::Twist last_;
  double curvature_ = 0;  // 1/m, of the last targets
  kinematics::ackermann::Odometry odometry_;
  double slip_ = 0;
};

}  // namespace tandem::raptorlift
