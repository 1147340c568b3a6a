// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/vision/delta.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {
namespace {

Pose with_scaled_way(Pose X, double scale) {
  X.translation() *= scale;
  return X;
}

constexpr double half_trust_spread = 0.1;  // of the scale's ratios: then half is left
constexpr double half_trust_points = 15;   // so few are the least that make a range
constexpr double best = 99;                // %: nothing that is measured is certain
constexpr double flattest_look = 0.2;      // downwards, of one that still meets the floor in a useful way

}  // namespace

Pose X_slam_base(const Pose& X_world_camera, double scale, const Pose& X_base_camera) {
  return X_slam_world() * with_scaled_way(X_world_camera, scale) * X_base_camera.inverse();
}

BodyDelta delta_between(const Pose& X_world_before, const Pose& X_world_now, double scale, const Pose& X_base_camera) {
  const Pose X_before_now_camera = with_scaled_way(X_world_before.inverse() * X_world_now, scale);
  BodyDelta delta;
  delta.X_before_now = X_base_camera * X_before_now_camera * X_base_camera.inverse();
  const Eigen::Quaterniond turn(delta.X_before_now.linear());
  delta.rotation = frd_from_flu(rotation_vector_from_quaternion(turn));
  delta.position = frd_from_flu(turn.conjugate() * delta.X_before_now.translation());
  return delta;
}

double height_from_sonar(double sonar, const Eigen::Vector3d& up, const Pose& X_base_ping, double half_angle) {
  const double beam = up.dot(X_base_ping.linear().col(2));
  if (!(beam > flattest_look)) return 0;
  const double off = std::max(0.0, std::acos(std::min(beam, 1.0)) - half_angle);  // of the nearest ray from plumb
  return sonar * std::cos(off) - up.dot(X_base_ping.translation());
}

double camera_range(double height, const Eigen::Vector3d& up, const Pose& X_base_camera) {
  const double look = -up.dot(X_base_camera.linear().col(2));
  if (!(look > flattest_look)) return 0;
  return (height + up.dot(X_base_camera.translation())) / look;
}

double confidence_from(const Trust& trust) {
  const double spread = trust.scale_spread / half_trust_spread;
  const double points = static_cast<double>(trust.points);
  const double age = seconds(trust.ratio_age) / std::max(seconds(trust.longest_hold), 1e-3);
  const double share =
      1 / (1 + spread * spread) * (points / (points + half_trust_points)) * std::clamp(1 - 0.5 * age, 0.0, 1.0);
  return std::clamp(100 * share, 0.0, best);
}

}  // namespace tandem::orca
