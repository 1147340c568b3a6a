// SPDX-License-Identifier: Apache-2.0
// Cables over pulleys of finite radius. Each pulley swivels about the line on which its cable arrives, always facing
// the platform: the cable comes along that axis to the frame point, lies on the rim, and leaves it on a tangent.
#pragma once

#include <span>

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

struct Pulley {
  double radius = 0;                                // m, to the middle of the cable; 0 is a point
  Eigen::Vector3d axis = Eigen::Vector3d(0, 0, 1);  // unit: which way the cable arrives at the frame point, world
};

// One cable on its way from the frame point to where it holds the platform.
struct PulleyRun {
  bool possible = false;  // false: the platform's point lies within the pulley, or on its axis where it has no side
  double wrap = 0;        // rad on the rim
  double straight = 0;    // m from the tangent point on
  double length = 0;      // m from the frame point on: rim and straight part
  Eigen::Vector3d leaves = Eigen::Vector3d::Zero();  // the tangent point, world
  Eigen::Vector3d along = Eigen::Vector3d::Zero();   // unit, from the platform to the tangent point
};

// Fault::invalid, naming the cable, for a wrong number of pulleys, radii that are negative or not finite, axes that are
// not of unit length.
Result<void> check_pulleys(const Robot& robot, std::span<const Pulley> pulleys);

// Nothing below throws or allocates.
PulleyRun run_over(const Pulley& pulley, const Eigen::Vector3d& frame, const Eigen::Vector3d& held);
// As without pulleys; a run that is not possible counts as a straight cable from the frame point.
PerCable lengths(const Robot& robot, std::span<const Pulley> pulleys, const Pose& pose);
// The pull is along the tangent, and rates() of this structure are those of the lengths over the pulleys.
Structure structure(const Robot& robot, std::span<const Pulley> pulleys, const Pose& pose);

}  // namespace tandem::cables
