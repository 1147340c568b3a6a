// SPDX-License-Identifier: Apache-2.0
// How near cables come to each other and to the platform. Straight cables without thickness; nothing throws or
// allocates.
#pragma once

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

struct Clearance {
  // Least distance between two cables, m. Cables that share an end are not compared: they meet there, and only there.
  double cables = 0;
  int first = -1, second = -1;  // which two; -1: no two can be compared, and the distance is infinite
  // Least distance between a cable and the platform's box, m; 0 where a cable cuts into it. Cables begin at the box, so
  // each is looked at from grip() on: one that leaves at a right angle has this distance at least.
  double platform = 0;
  int cutting = -1;  // the cable with that distance
};

// The beginning of each cable that may touch the platform: a fifth of the box's least side, m.
double grip(const Robot& robot);

Clearance clearance(const Robot& robot, const Pose& pose);

// Least distance of two segments, given by their ends.
double segment_distance(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                        const Eigen::Vector3d& b1);
// Least distance of a segment and the box |x| <= half.
double box_distance(const Eigen::Vector3d& p0, const Eigen::Vector3d& p1, const Eigen::Vector3d& half);

}  // namespace tandem::cables
