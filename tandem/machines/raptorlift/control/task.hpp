// SPDX-License-Identifier: Apache-2.0
// A figure eight, driven until another client wants to drive. Its heading swings as a sine; with this amplitude
// (the first zero of the Bessel function J0) the path closes, and its curvature never jumps.
#pragma once

#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::raptorlift {

class FigureEight {
 public:
  // One round takes `period` seconds at `speed` m/s.
  FigureEight(double speed, double period) : speed_(speed), period_(period) {}

  // Begins again where the truck is.
  void restart(const kinematics::ackermann::PlanarPose& X_odom_axle);
  // What brings the truck back to the path and along it, `dt` seconds later.
  kinematics::ackermann::Twist step(const kinematics::ackermann::PlanarPose& X_odom_axle, double dt);
  double rounds() const { return time_ / period_; }

 private:
  double speed_, period_;
  double time_ = 0;
  kinematics::ackermann::PlanarPose X_odom_path_;
};

}  // namespace tandem::raptorlift
