// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/description.hpp"

#include <cmath>
#include <numbers>

namespace tandem::orca {
namespace {

Pose rotated(const Eigen::Matrix3d& rotation) { return tandem::pose_from(Eigen::Vector3d::Zero(), rotation); }

}  // namespace

Pose X_base_link() { return rotated(rotation_from_rpy(0, quarter_turn, 0)); }

// The columns are the optical axes in FLU: x to the right, y down, z forward.
Pose X_link_camera() {
  Eigen::Matrix3d rotation;
  rotation << 0, 0, 1,  //
      -1, 0, 0,         //
      0, -1, 0;
  return rotated(rotation);
}

Pose X_base_ping() { return Pose(Eigen::Translation3d(-0.15, 0, -0.095)); }

Pose X_slam_world() { return rotated(rotation_from_rpy(2 * quarter_turn, 0, 0)); }

// base_link is the middle of the plane of the first four. 1 and 2 are at the bow and push backwards, 3 and 4 at the
// stern and push forwards; all four push towards their own side. 5 and 6 push down.
std::array<Thruster, thruster_count> thrusters() {
  const double x = 0.14, y = 0.092;               // m
  const double side = 0.109, top = 0.077;         // m, of the upright ones
  const double half = std::numbers::sqrt2 / 2.0;  // they are at 45 degrees
  return {{{{x, -y, 0}, {-half, -half, 0}},
           {{x, y, 0}, {-half, half, 0}},
           {{-x, -y, 0}, {half, -half, 0}},
           {{-x, y, 0}, {half, half, 0}},
           {{0, -side, top}, {0, 0, -1}},
           {{0, side, top}, {0, 0, -1}}}};
}

std::array<std::array<double, 6>, thruster_count> mixer() {
  return {{{0, 0, 1, 0, -1, 1},
           {0, 0, -1, 0, -1, -1},
           {0, 0, -1, 0, 1, 1},
           {0, 0, 1, 0, 1, -1},
           {1, 0, 0, -1, 0, 0},
           {-1, 0, 0, -1, 0, 0}}};
}

}  // namespace tandem::orca
