// SPDX-License-Identifier: Apache-2.0
// Rotations and poses as numbers that people and devices write.
#pragma once

#include <Eigen/Geometry>
#include <array>

namespace tandem {

// X_a_b is the pose of b in a; poses compose by neighbours: X_a_c = X_a_b * X_b_c.
using Pose = Eigen::Isometry3d;

// How three angles make one rotation. The names are the matrix products, left to right.
enum class RotationOrder {
  zyx,  // Rz(yaw) * Ry(pitch) * Rx(roll): aerospace and ROS
  xyz,  // Rx(roll) * Ry(pitch) * Rz(yaw)
};

Eigen::Matrix3d rotation_from_rpy(double roll, double pitch, double yaw, RotationOrder order = RotationOrder::zyx);

// Roll, pitch, yaw with pitch within +-pi/2; at +-pi/2 roll is taken as zero.
Eigen::Vector3d rpy_from_rotation(const Eigen::Matrix3d& rotation, RotationOrder order = RotationOrder::zyx);

// Rotation vector (axis times angle, angle within [0, pi]); exact at 0 and at pi.
Eigen::Vector3d rotation_vector_from_quaternion(const Eigen::Quaterniond& q);
Eigen::Quaterniond quaternion_from_rotation_vector(const Eigen::Vector3d& vector);

// The angle between two attitudes, rad, within [0, pi].
double angle_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b);

// The shortest rotation that turns z into the direction `along`, which is not zero; half a turn about x for -z.
// (Eigen's FromTwoVectors for this costs every unit that calls it seven seconds of compiling a singular value
// decomposition.)
Eigen::Matrix3d rotation_from_z(const Eigen::Vector3d& along);

Pose pose_from(const Eigen::Vector3d& position, const Eigen::Matrix3d& rotation);
// At the origin, turned by roll, pitch, yaw (rad).
Pose turned(double roll, double pitch, double yaw);

// The matrix that multiplies as the cross product does: cross_matrix(a) * b = a x b.
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a);

}  // namespace tandem
