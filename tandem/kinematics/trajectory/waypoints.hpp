// SPDX-License-Identifier: Apache-2.0
// A path through joint angles with given times, as ROS 2 joint trajectories tell it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tandem/kinematics/trajectory/joint.hpp"

namespace tandem::kinematics::trajectory {

struct Waypoint {
  double time = 0;  // s from the start
  Joints q = Joints::Zero();
  std::optional<Joints> qd, qdd;
};

// Between two points that both have accelerations a quintic, else a cubic. Speeds that are not given are chosen so that
// the path passes smoothly and does not overshoot; at the end they are zero.
class WaypointPath {
 public:
  // Times must rise. A first point at time 0 must be where the start is (to 0.01 rad) and takes its place. Points or
  // ways beyond the model's limits of position and speed are errors that name the joint and the time.
  static Result<WaypointPath> make(const Model& model, const JointState& start, std::span<const Waypoint> points);

  JointState sample(double t) const;
  double duration() const { return knots_.back().time; }

 private:
  struct Knot {
    double time;
    JointState state;
    bool accelerated;  // its acceleration was given
  };
  JointState between(const Knot& a, const Knot& b, double t) const;
  Result<void> within_limits(const Model& model) const;

  std::vector<Knot> knots_;
};

}  // namespace tandem::kinematics::trajectory
