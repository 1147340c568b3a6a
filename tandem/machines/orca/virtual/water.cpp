// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/water.hpp"

#include <algorithm>

#include "tandem/machines/orca/virtual/model.hpp"

namespace tandem::orca {
namespace {

constexpr double propeller = 0.1;  // m, diameter

Vector6 wrench_at(const Eigen::Vector3d& point, const Eigen::Vector3d& force) {
  Vector6 wrench;
  wrench << force, point.cross(force);
  return wrench;
}

}  // namespace

Matrix6 rigid_inertia(const Hull& hull) {
  const Eigen::Matrix3d lever = hull.mass * cross_matrix(hull.centre_of_mass);
  Matrix6 rigid;
  rigid.topLeftCorner<3, 3>() = hull.mass * Eigen::Matrix3d::Identity();
  rigid.topRightCorner<3, 3>() = -lever;
  rigid.bottomLeftCorner<3, 3>() = lever;
  rigid.bottomRightCorner<3, 3>() = -lever * cross_matrix(hull.centre_of_mass);
  rigid.bottomRightCorner<3, 3>().diagonal() += inertia(hull);
  return rigid;
}

Vector6 rigid_wrench(const Hull& hull, const Matrix6& rigid, const Motion& motion, const Eigen::Matrix3d& R_base_map) {
  const Eigen::Vector3d& w = motion.angular;
  const Eigen::Vector3d& middle = hull.centre_of_mass;
  const Eigen::Vector3d turning = w.cross(motion.linear);
  const Eigen::Vector3d swinging = w.cross(w.cross(middle));
  Vector6 apparent;
  apparent << hull.mass * (turning + swinging),
      w.cross(rigid.bottomRightCorner<3, 3>() * w) + hull.mass * middle.cross(turning);
  const Eigen::Vector3d weight(0, 0, -hull.mass * gravity);
  return wrench_at(middle, R_base_map * weight) - apparent;
}

double submerged_part(const Hull& hull, const Pose& X_map_base) {
  const double height = (X_map_base * hull.centre_of_buoyancy).z();
  return std::clamp(0.5 - height / hull.size.z(), 0.0, 1.0);
}

Vector6 buoyancy_wrench(const Hull& hull, const Pose& X_map_base, double submerged) {
  const Eigen::Vector3d lift(0, 0, submerged * (hull.mass + hull.surplus) * gravity);
  return wrench_at(hull.centre_of_buoyancy, X_map_base.linear().transpose() * lift);
}

Vector6 thruster_wrench(const std::array<Thruster, thruster_count>& thrusters,
                        const std::array<double, thruster_count>& thrusts, const Pose& X_map_base) {
  Vector6 sum = Vector6::Zero();
  for (std::size_t i = 0; i < thruster_count; ++i) {
    const double height = (X_map_base * thrusters[i].position).z();
    const double wet = std::clamp(0.5 - height / propeller, 0.0, 1.0);
    sum += wrench_at(thrusters[i].position, wet * thrusts[i] * thrusters[i].direction);
  }
  return sum;
}

Water water_on(const Hull& hull, const Motion& motion, double submerged) {
  Vector6 speed, square, line;
  speed << motion.linear - motion.current, motion.angular;
  square << hull.drag, hull.angular_drag;
  line << hull.linear_damping, hull.angular_damping;
  Water water;
  water.added << hull.added_mass, hull.added_inertia;
  water.added *= submerged;
  const Vector6 share = square.cwiseProduct(speed.cwiseAbs());
  water.damping = submerged * (2 * share + line);
  const Vector6 momentum = water.added.cwiseProduct(speed);
  const Eigen::Vector3d& w = motion.angular;
  // Water at rest in the map turns in body axes when the body does.
  const Eigen::Vector3d seen_to_turn = w.cross(motion.current);
  Vector6 carried;
  carried << w.cross(momentum.head<3>()) + water.added.head<3>().cwiseProduct(seen_to_turn),
      w.cross(momentum.tail<3>()) + speed.head<3>().cross(momentum.head<3>());
  water.wrench = -submerged * (share + line).cwiseProduct(speed) - carried;
  return water;
}

}  // namespace tandem::orca
