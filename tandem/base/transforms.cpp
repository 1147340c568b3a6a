// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/transforms.hpp"

#include <algorithm>
#include <cmath>

namespace tandem {

Eigen::Matrix3d rotation_from_rpy(double roll, double pitch, double yaw, RotationOrder order) {
  const Eigen::AngleAxisd x(roll, Eigen::Vector3d::UnitX());
  const Eigen::AngleAxisd y(pitch, Eigen::Vector3d::UnitY());
  const Eigen::AngleAxisd z(yaw, Eigen::Vector3d::UnitZ());
  return (order == RotationOrder::zyx ? z * y * x : x * y * z).toRotationMatrix();
}

Eigen::Vector3d rpy_from_rotation(const Eigen::Matrix3d& r, RotationOrder order) {
  // Near +-pi/2 of pitch the other two turn about one axis: below this cosine, roll is called zero.
  constexpr double flat = 1e-9;
  if (order == RotationOrder::zyx) {
    const double cos_pitch = std::hypot(r(0, 0), r(1, 0));
    const double pitch = std::atan2(-r(2, 0), cos_pitch);
    if (cos_pitch < flat) return {0, pitch, std::atan2(-r(0, 1), r(1, 1))};
    return {std::atan2(r(2, 1), r(2, 2)), pitch, std::atan2(r(1, 0), r(0, 0))};
  }
  const double cos_pitch = std::hypot(r(0, 0), r(0, 1));
  const double pitch = std::atan2(r(0, 2), cos_pitch);
  if (cos_pitch < flat) return {0, pitch, std::atan2(r(1, 0), r(1, 1))};
  return {std::atan2(-r(1, 2), r(2, 2)), pitch, std::atan2(-r(0, 1), r(0, 0))};
}

Eigen::Vector3d rotation_vector_from_quaternion(const Eigen::Quaterniond& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Eigen::Vector3d half = sign * q.vec();
  const double sine = half.norm();
  const double angle = 2 * std::atan2(sine, sign * q.w());
  // For a small sine, angle / sine is 2 / w up to second order; the quotient itself would lose digits.
  return half * (sine < 1e-8 ? 2 / (sign * q.w()) : angle / sine);
}

Eigen::Quaterniond quaternion_from_rotation_vector(const Eigen::Vector3d& vector) {
  const double angle = vector.norm();
  const double scale = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), scale * vector.x(), scale * vector.y(), scale * vector.z()};
}

double angle_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return rotation_vector_from_quaternion(a.conjugate() * b).norm();
}

Eigen::Matrix3d rotation_from_z(const Eigen::Vector3d& along) {
  const Eigen::Vector3d to = along.normalized();
  const double w = 1 + to.z();
  // 1 + z has lost its digits next to -z, where x^2 + y^2 still has all of them.
  const double sideways = to.x() * to.x() + to.y() * to.y();
  const double scale = w > 0.5 ? w : sideways / (1 - to.z());
  if (w < 0.5 && sideways < 1e-30) return Eigen::Vector3d(1, -1, -1).asDiagonal();
  return Eigen::Quaterniond(scale, -to.y(), to.x(), 0).normalized().toRotationMatrix();
}

Pose pose_from(const Eigen::Vector3d& position, const Eigen::Matrix3d& rotation) {
  Pose pose = Pose::Identity();
  pose.translation() = position;
  pose.linear() = rotation;
  return pose;
}

Pose turned(double roll, double pitch, double yaw) {
  return pose_from(Eigen::Vector3d::Zero(), rotation_from_rpy(roll, pitch, yaw));
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace tandem
