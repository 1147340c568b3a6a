// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/stewart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tandem/base/linear.hpp"

namespace tandem::stewart {
namespace {

// Squared lengths are met to this part of home's; a few times what rounding leaves.
constexpr double relative_tolerance = 3e-14;

kernel::Legs packed(const Geometry& geometry, const std::array<int, 6>& order, const Jacobian& home) {
  kernel::Legs legs{};
  legs.flat = true;
  Jacobian ordered;
  for (int i = 0; i < 8; ++i) {
    const int leg = order[i % 6];  // the seventh and eighth lane repeat legs, so that they add nothing
    const Eigen::Vector3d& a = geometry.base[leg];
    const Eigen::Vector3d& b = geometry.top[leg];
    legs.ax[i] = a.x(), legs.ay[i] = a.y(), legs.az[i] = a.z();
    legs.bx[i] = b.x(), legs.by[i] = b.y(), legs.bz[i] = b.z();
    legs.leg[i] = leg;
    legs.flat = legs.flat && b.z() == 0;
    if (i < 6) ordered.row(i) = home.row(leg);
  }
  legs.determinant = Elimination(ordered).determinant();
  return legs;
}

}  // namespace

Platform::Platform(const Geometry& geometry_, const Pose& home_) : geometry(geometry_), home(home_) {
  for (int i = 0; i < 6; ++i) {
    if (!geometry.base[i].allFinite() || !geometry.top[i].allFinite())
      throw std::invalid_argument(fmt::format("Stewart geometry: the joints of leg {} are not finite numbers", i + 1));
  }
  home_lengths = leg_lengths(geometry, home);
  const Jacobian at_home = jacobian(geometry, home);
  if (!at_home.allFinite() || condition_number(at_home) > 1e6)
    throw std::invalid_argument("Stewart geometry: the platform is singular at its home pose");
  const double longest = *std::max_element(home_lengths.begin(), home_lengths.end());
  legs = packed(geometry, {0, 1, 2, 3, 4, 5}, at_home);
  pivoting = packed(geometry, Elimination(at_home).order(), at_home);
  legs.tolerance = pivoting.tolerance = relative_tolerance * longest * longest;
}

Pose pose_from_coordinates(const Coordinates& c, RotationOrder order) {
  return pose_from({c[0], c[1], c[2]}, rotation_from_rpy(c[3], c[4], c[5], order));
}

Coordinates coordinates_from_pose(const Pose& X_base_top, RotationOrder order) {
  const Eigen::Vector3d p = X_base_top.translation();
  const Eigen::Vector3d a = rpy_from_rotation(X_base_top.linear(), order);
  return {p.x(), p.y(), p.z(), a.x(), a.y(), a.z()};
}

Lengths leg_lengths(const Geometry& geometry, const Pose& X_base_top) {
  Lengths lengths;
  for (int i = 0; i < 6; ++i) lengths[i] = (X_base_top * geometry.top[i] - geometry.base[i]).norm();
  return lengths;
}

Lengths leg_lengths(const Platform& platform, const Coordinates& c, RotationOrder order) {
  Lengths lengths;
  const bool zyx = order == RotationOrder::zyx;
  const bool small = std::abs(c[3]) <= kernel::largest_angle && std::abs(c[4]) <= kernel::largest_angle &&
                     std::abs(c[5]) <= kernel::largest_angle;
  (small ? kernel::best().lengths_one : kernel::lengths_of_large_angles)(platform.legs, c.data(), zyx, lengths.data());
  return lengths;
}

Jacobian jacobian(const Geometry& geometry, const Pose& X_base_top) {
  Jacobian j;
  for (int i = 0; i < 6; ++i) {
    const Eigen::Vector3d arm = X_base_top.linear() * geometry.top[i];
    const Eigen::Vector3d u = (X_base_top.translation() + arm - geometry.base[i]).normalized();
    j.row(i) << u.transpose(), arm.cross(u).transpose();
  }
  return j;
}

double condition_number(const Jacobian& jacobian) {
  if (!jacobian.allFinite()) return std::numeric_limits<double>::infinity();
  const Vector6 values = singular_values(jacobian).values;
  return values[5] > 0 ? values[0] / values[5] : std::numeric_limits<double>::infinity();
}

double relative_determinant(const Platform& platform, const Pose& X_base_top) {
  return Elimination(jacobian(platform.geometry, X_base_top)).determinant() / platform.legs.determinant;
}

Lengths leg_velocities(const Geometry& geometry, const Pose& X_base_top, const Twist& twist) {
  const Twist speeds = jacobian(geometry, X_base_top) * twist;
  return {speeds[0], speeds[1], speeds[2], speeds[3], speeds[4], speeds[5]};
}

}  // namespace tandem::stewart
