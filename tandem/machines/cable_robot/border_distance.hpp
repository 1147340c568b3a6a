// How far the platform may go, level with where it is, before it comes to the border of its workspace.
#pragma once

#include "tandem/machines/cable_robot/border.hpp"

namespace tandem::cable_robot {

struct BorderDistance {
  double metres = 0;                                    // 0: it is outside; never more than `farthest`
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  // that leads there first, world
};

// The least over 26 directions: along the axes and between them, with the attitude kept. Nothing throws or allocates.
BorderDistance distance_to_border(const Border& border, const Pose& pose, double farthest = 1);

}  // namespace tandem::cable_robot
