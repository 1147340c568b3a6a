// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/odometry.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/kinematics/ackermann/plane.hpp"

namespace tandem::kinematics::ackermann {
namespace {

// sin(h) / h
double chord_ratio(double h) {
  constexpr double small = 1e-4;  // below it the next term of the series is under 1e-18
  return std::abs(h) < small ? 1 - h * h / 6 : std::sin(h) / h;
}

}  // namespace

PlanarPose operator*(const PlanarPose& X_a_b, const PlanarPose& X_b_c) {
  const double s = std::sin(X_a_b.yaw), c = std::cos(X_a_b.yaw);
  return {X_a_b.x + c * X_b_c.x - s * X_b_c.y, X_a_b.y + s * X_b_c.x + c * X_b_c.y, wrapped(X_a_b.yaw + X_b_c.yaw)};
}

PlanarPose inverse(const PlanarPose& X_a_b) {
  const double s = std::sin(X_a_b.yaw), c = std::cos(X_a_b.yaw);
  return {-c * X_a_b.x - s * X_a_b.y, s * X_a_b.x - c * X_a_b.y, wrapped(-X_a_b.yaw)};
}

PlanarPose arc(const Twist& twist, double dt) {
  // The chord of an arc lies at half its angle.
  const double half = twist.w * dt / 2;
  const double chord = twist.v * dt * chord_ratio(half);
  return {chord * std::cos(half), chord * std::sin(half), wrapped(2 * half)};
}

PlanarTwist twist_at(const Point& point, const Twist& twist) {
  return {twist.v - twist.w * point.y, twist.w * point.x, twist.w};
}

Twist twist_from(const Point& point, double vx, double w) { return {vx + w * point.y, w}; }

Result<void> Odometry::advance(const Twist& measured, double dt) {
  if (!std::isfinite(measured.v) || !std::isfinite(measured.w)) {
    return Error{Fault::invalid,
                 fmt::format("odometry: expected a finite twist, got v = {}, w = {}", measured.v, measured.w)};
  }
  if (running_) {
    if (!(dt > 0 && std::isfinite(dt)))
      return Error{Fault::invalid, fmt::format("odometry: expected a time step above 0 s, got {}", dt)};
    const Twist mean = {(twist_.v + measured.v) / 2, (twist_.w + measured.w) / 2};
    const PlanarPose next = X_odom_axle_ * arc(mean, dt);
    if (!std::isfinite(next.x) || !std::isfinite(next.y) || !std::isfinite(next.yaw))
      return Error{Fault::invalid, "odometry: expected speeds of a truck, got numbers that are too large"};
    X_odom_axle_ = next;
    distance_ += std::abs(mean.v) * dt;
  }
  twist_ = measured;
  running_ = true;
  return {};
}

}  // namespace tandem::kinematics::ackermann
