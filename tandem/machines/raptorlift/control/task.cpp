// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/task.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tandem::raptorlift {
namespace {

namespace ackermann = kinematics::ackermann;

constexpr double swing = 2.404825557695773;  // rad
// How fast errors along, beside and about the path are made good.
constexpr double along = 1;          // 1/s
constexpr double beside = 2;         // 1/m^2
constexpr double about = 1.5;        // 1/m
constexpr double most_behind = 0.5;  // m: the path waits for a truck that falls further behind

}  // namespace

void FigureEight::restart(const ackermann::PlanarPose& X_odom_axle) {
  time_ = 0;
  X_odom_path_ = X_odom_axle;
}

ackermann::Twist FigureEight::step(const ackermann::PlanarPose& X_odom_axle, double dt) {
  const double omega = 2 * std::numbers::pi / period_;
  ackermann::Twist path{speed_, -swing * omega * std::sin(omega * time_)};
  ackermann::PlanarPose error = ackermann::inverse(X_odom_axle) * X_odom_path_;
  if (std::hypot(error.x, error.y) < most_behind) {
    time_ += dt;
    X_odom_path_ = X_odom_path_ * ackermann::arc(path, dt);
    error = ackermann::inverse(X_odom_axle) * X_odom_path_;
  }
  const double v = path.v * std::cos(error.yaw) + along * error.x;
  return {std::clamp(v, 0.0, 1.5 * speed_), path.w + path.v * (beside * error.y + about * std::sin(error.yaw))};
}

}  // namespace tandem::raptorlift
