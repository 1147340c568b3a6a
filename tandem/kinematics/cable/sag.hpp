// SPDX-License-Identifier: Apache-2.0
// A cable that has weight and stretches: the elastic catenary (Irvine). In the vertical plane of the cable: x away from
// the frame point, z up; the frame point is the origin, the platform's point is the end.
#pragma once

#include <Eigen/Core>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

struct Line {
  double weight = 0;       // N/m of unstretched cable
  double stiffness = 5e4;  // N: force over strain, E A
};

struct Sag {
  double unstretched = 0;                           // m
  Eigen::Vector2d end = Eigen::Vector2d::Zero();    // N: what holds the platform's end (x, z), along the cable outwards
  Eigen::Vector2d start = Eigen::Vector2d::Zero();  // N: the tension at the frame point, in the same sense
  int iterations = 0;
  double tension() const { return end.norm(); }  // N at the platform
};

// Where the end is, for an unstretched length and the force that holds it: closed form, good for no weight as well.
Eigen::Vector2d end_from_force(const Line& line, double unstretched, const Eigen::Vector2d& force);

// Forces of a cable of this unstretched length over this chord (x >= 0, z). Always has an answer, taut or slack.
// Fault::invalid for invalid numbers.
Result<Sag> sag_from_length(const Line& line, const Eigen::Vector2d& chord, double unstretched);

// Unstretched length with this tension at the platform's end. Of the two answers the taut one; Fault::not_found where
// the cable's own weight pulls more than that.
Result<Sag> sag_from_tension(const Line& line, const Eigen::Vector2d& chord, double tension);

// Every cable of the robot with its tension at the platform: unstretched lengths, and the structure that their pulls
// have, which point below the frame points.
struct SaggingCables {
  PerCable unstretched;
  Structure structure;
};
Result<SaggingCables> sagging(const Robot& robot, const Pose& pose, const PerCable& tensions, double weight);

}  // namespace tandem::cables
