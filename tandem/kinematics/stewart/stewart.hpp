// SPDX-License-Identifier: Apache-2.0
// Stewart platform: six legs between a fixed base and a moving top.
#pragma once

#include <Eigen/Core>
#include <array>

#include "tandem/base/result.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/stewart/kernels.hpp"

namespace tandem::stewart {

using Lengths = std::array<double, 6>;      // m, leg 1 first
using Coordinates = std::array<double, 6>;  // x, y, z (m), roll, pitch, yaw (rad) of the top in the base frame
using Twist =
    Eigen::Matrix<double, 6, 1>;  // velocity of the top's origin (m/s), then angular velocity (rad/s), base frame
using Jacobian = Eigen::Matrix<double, 6, 6>;  // leg velocities = Jacobian * twist; one row per leg

struct Geometry {
  std::array<Eigen::Vector3d, 6> base;  // leg joints on the base, base frame, m
  std::array<Eigen::Vector3d, 6> top;   // leg joints on the top, top frame, m
};

// A geometry with its home pose, prepared for speed. What never changes; make it once.
struct Platform {
  // Throws std::invalid_argument when a joint is not finite or the Jacobian is singular at home.
  Platform(const Geometry& geometry, const Pose& home);

  Geometry geometry;
  Pose home;
  Lengths home_lengths;
  kernel::Legs legs;      // in the order 1 to 6
  kernel::Legs pivoting;  // in an order in which elimination meets no small pivot near home
};

Pose pose_from_coordinates(const Coordinates& coordinates, RotationOrder order = RotationOrder::zyx);
Coordinates coordinates_from_pose(const Pose& X_base_top, RotationOrder order = RotationOrder::zyx);

// Leg lengths for the pose of the top in the base frame. Exact; every pose has an answer,
// whether the real legs can reach it or not.
Lengths leg_lengths(const Geometry& geometry, const Pose& X_base_top);

// The same from six numbers, and faster.
Lengths leg_lengths(const Platform& platform, const Coordinates& coordinates, RotationOrder order = RotationOrder::zyx);

// How the answer of pose_from_lengths stands to home. Six lengths fit up to 40 poses; which of them the real
// platform holds is known only as long as it cannot have passed through a singularity on the way.
enum class Mode {
  home,            // on home's side of the singularity, and no pose beyond it within 63 degrees of home was found
  other_possible,  // beyond the singularity, or so near that the lengths fit a pose on its other side as well
};

struct Solution {
  Pose X_base_top = Pose::Identity();
  double residual = 0;     // largest difference between a length asked for and the pose's own, m
  int iterations = 0;      // Newton steps taken
  double determinant = 0;  // of the Jacobian, relative to home's: 1 at home, 0 when singular, negative beyond
  Mode mode = Mode::other_possible;
};

// The pose of the top for six leg lengths, found from home. Lengths that are not finite and positive, and lengths
// that no pose near home's mode has, are errors.
Result<Solution> pose_from_lengths(const Platform& platform, const Lengths& lengths);

// The same found from a pose nearby, such as the last one: fewer steps, same answer.
Result<Solution> pose_from_lengths(const Platform& platform, const Lengths& lengths, const Pose& start);

Jacobian jacobian(const Geometry& geometry, const Pose& X_base_top);

// Largest singular value of the Jacobian over its smallest, in raw units (m and rad); infinite when singular.
double condition_number(const Jacobian& jacobian);

// The determinant of the Jacobian relative to home's; its sign tells the sides of the singularity apart.
double relative_determinant(const Platform& platform, const Pose& X_base_top);

// How fast each leg changes its length, m/s.
Lengths leg_velocities(const Geometry& geometry, const Pose& X_base_top, const Twist& twist);

}  // namespace tandem::stewart
