// SPDX-License-Identifier: Apache-2.0
// Stretches of motion as joint angles over time, checked from end to end before the arm moves.
#pragma once

#include <memory>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/trajectory/curve.hpp"
#include "tandem/kinematics/trajectory/joint.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {

using kinematics::trajectory::Curve;
using kinematics::trajectory::JointState;
using kinematics::trajectory::Pace;

class Path {
 public:
  virtual ~Path() = default;
  virtual JointState at(double time) const = 0;  // the end after the end
  virtual double duration() const = 0;           // s
  Joints end() const { return at(duration()).q; }
};

// When the tool comes within the radius of where the path ends; never in its first half. The duration without a radius.
double blend_time(const Path& path, double radius, const Pose& X_flange_tcp);

// Straight in joint space. A time that is too short makes it as fast as the joints allow. Errors name the joint that
// would leave its limits.
Result<std::unique_ptr<Path>> joint_path(const Joints& from, const Joints& to, const Pace& pace);

// The tool along a curve that begins where the arm is. Slower than asked for where joints would be too fast, also than
// a time that is too short; an error when part of the curve is out of reach, or a singularity is in the way.
Result<std::unique_ptr<Path>> tool_path(const Joints& from, const Curve& curve, const Pace& pace,
                                        const Pose& X_flange_tcp);

// To rest from any speed; null when it is at rest already.
std::unique_ptr<Path> stop_path(const Joints& q, const Joints& qd, double deceleration);

}  // namespace tandem::ur3e
