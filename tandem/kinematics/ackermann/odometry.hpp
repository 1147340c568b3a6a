// SPDX-License-Identifier: Apache-2.0
// Where a truck has gone: twists of its traction axle, integrated as the arcs that they are, seen from any point of it.
#pragma once

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ackermann/ackermann.hpp"

namespace tandem::kinematics::ackermann {

// X_a_b in the plane: where b is in a.
struct PlanarPose {
  double x = 0, y = 0;  // m
  double yaw = 0;       // rad, within +-pi where this file makes it
};

PlanarPose operator*(const PlanarPose& X_a_b, const PlanarPose& X_b_c);
PlanarPose inverse(const PlanarPose& X_a_b);

// Where a truck that starts at the origin is after `dt` seconds of a constant twist; exact, straight lines included.
PlanarPose arc(const Twist& twist, double dt);

// A point of the truck, in the frame of the traction axle: x forward, y left, m.
struct Point {
  double x = 0, y = 0;
};

struct PlanarTwist {
  double vx = 0, vy = 0;  // m/s, in the truck's own directions
  double w = 0;           // rad/s
};

// How that point moves: off the axle it also moves sideways in a turn.
PlanarTwist twist_at(const Point& point, const Twist& twist);
// The twist of the axle with which that point has this forward speed; its sideways speed follows from the turn.
Twist twist_from(const Point& point, double vx, double w);

class Odometry {
 public:
  Odometry() = default;
  explicit Odometry(const PlanarPose& X_odom_axle) : X_odom_axle_(X_odom_axle) {}

  // The twist measured `dt` seconds after the last one; between the two the mean of both counts. The first one, and the
  // first after `pause`, only starts the clock. Numbers that are not finite and a time that does not go on are errors,
  // and nothing has moved then.
  Result<void> advance(const Twist& measured, double dt);
  // Samples are missing: the next twist does not continue from the last one.
  void pause() { running_ = false; }
  // The truck is said to be here; distance and twist stay.
  void place(const PlanarPose& X_odom_axle) { X_odom_axle_ = X_odom_axle; }

  const PlanarPose& axle() const { return X_odom_axle_; }
  PlanarPose at(const Point& point) const { return X_odom_axle_ * PlanarPose{point.x, point.y, 0}; }
  const Twist& twist() const { return twist_; }
  double distance() const { return distance_; }  // m, travelled by the axle's middle, forward and back

 private:
  PlanarPose X_odom_axle_;
  Twist twist_;
  double distance_ = 0;
  bool running_ = false;
};

}  // namespace tandem::kinematics::ackermann
