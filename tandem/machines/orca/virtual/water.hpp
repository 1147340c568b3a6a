// SPDX-License-Identifier: Apache-2.0
// Fossen's terms of a body in water, as pure functions. Wrenches are force and torque about base_link in body axes.
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

using Vector6 = Eigen::Matrix<double, 6, 1>;  // linear, then angular
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// In body axes.
struct Motion {
  Eigen::Vector3d linear;   // m/s, of base_link
  Eigen::Vector3d angular;  // rad/s
  Eigen::Vector3d current;  // m/s, of the water
};

// Inertia of the hull itself about base_link.
Matrix6 rigid_inertia(const Hull& hull);

// Weight, and what makes a turning body's velocity in body axes change without any force.
Vector6 rigid_wrench(const Hull& hull, const Matrix6& rigid, const Motion& motion, const Eigen::Matrix3d& R_base_map);

// 1 under water, 0 above it; in between by how deep the centre of buoyancy is, over the height of the hull.
double submerged_part(const Hull& hull, const Pose& X_map_base);

Vector6 buoyancy_wrench(const Hull& hull, const Pose& X_map_base, double submerged);

// A thruster that comes out of the water pushes less, and then nothing.
Vector6 thruster_wrench(const std::array<Thruster, thruster_count>& thrusters,
                        const std::array<double, thruster_count>& thrusts, const Pose& X_map_base);

struct Water {
  Vector6 wrench;   // of the drag, and of the water that moves along, without its inertia
  Vector6 damping;  // by how much the drag grows with the speed: N per m/s, N m per rad/s
  Vector6 added;    // the inertia of the water that moves along, diagonal: kg, kg m^2
};
Water water_on(const Hull& hull, const Motion& motion, double submerged);

}  // namespace tandem::orca
