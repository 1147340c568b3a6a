// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/ackermann.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tandem::kinematics::ackermann {
namespace {

Error not_finite(std::string_view what, double seen) {
  return {Fault::invalid, fmt::format("{}: expected a finite number, got {}", what, seen)};
}

// How a steered wheel slips sideways when its angle does not fit the turn: slip = along_w * w - along_v * v (m/s).
struct SteeredRow {
  double along_v;  // 1
  double along_w;  // m
};

SteeredRow steered_row(const Geometry& geometry, double angle, double y) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {s, geometry.wheelbase * c + y * s};
}

Error too_large(std::string_view what) {
  return {Fault::invalid, fmt::format("{}: expected speeds of a truck, got numbers that are too large", what)};
}

bool all_finite(const std::array<double, 4>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

// What a part of a twist becomes: within `most`, and at most `change` away from what it was.
double toward(double wanted, double last, double most, double change) {
  const double within = std::clamp(wanted, -most, most);
  return std::clamp(within, last - change, last + change);
}

Wheels wheels_on(const Geometry& geometry, double v, double curvature) {
  const double half_traction = geometry.traction_track / 2, half_steering = geometry.steering_track / 2;
  Wheels wheels;
  wheels.front_right = v * (1 + curvature * half_traction) / geometry.wheel_radius;
  wheels.front_left = v * (1 - curvature * half_traction) / geometry.wheel_radius;
  const double across = curvature * geometry.wheelbase;
  wheels.rear_right = std::atan2(across, 1 + curvature * half_steering);
  wheels.rear_left = std::atan2(across, 1 - curvature * half_steering);
  return wheels;
}

}  // namespace

Result<void> check(const Geometry& geometry) {
  const std::array<std::pair<std::string_view, double>, 4> lengths = {{{"wheel_radius", geometry.wheel_radius},
                                                                       {"wheelbase", geometry.wheelbase},
                                                                       {"traction_track", geometry.traction_track},
                                                                       {"steering_track", geometry.steering_track}}};
  for (const auto& [name, length] : lengths) {
    if (!(length > 0 && std::isfinite(length)))
      return Error{Fault::invalid, fmt::format("{}: expected a length above 0 m, got {}", name, length)};
  }
  if (!(geometry.steering_limit > 0 && geometry.steering_limit < std::numbers::pi / 2)) {
    return Error{Fault::invalid, fmt::format("steering_limit: expected an angle between 0 and pi/2 rad, got {}",
                                             geometry.steering_limit)};
  }
  return {};
}

std::array<double, 4> values(const Wheels& wheels) {
  return {wheels.front_right, wheels.front_left, wheels.rear_right, wheels.rear_left};
}

double most_curvature(const Geometry& geometry) {
  return 1 / (geometry.wheelbase / std::tan(geometry.steering_limit) + geometry.steering_track / 2);
}

double curvature_from_steering(const Geometry& geometry, double right, double left) {
  const SteeredRow a = steered_row(geometry, right, -geometry.steering_track / 2);
  const SteeredRow b = steered_row(geometry, left, geometry.steering_track / 2);
  return (a.along_w * a.along_v + b.along_w * b.along_v) / (a.along_w * a.along_w + b.along_w * b.along_w);
}

double middle_angle(const Geometry& geometry, double curvature) { return std::atan(curvature * geometry.wheelbase); }

Result<Command> wheels_from_twist(const Geometry& geometry, const Twist& twist, double held_curvature) {
  if (!std::isfinite(twist.v)) return not_finite("v", twist.v);
  if (!std::isfinite(twist.w)) return not_finite("w", twist.w);
  if (!std::isfinite(held_curvature)) return not_finite("held_curvature", held_curvature);
  const double most = most_curvature(geometry);
  Command command;
  double wanted = held_curvature;
  if (twist.v != 0) {
    wanted = twist.w / twist.v;  // may overflow to infinity, which the limit brings back
    command.at_limit = std::abs(wanted) > most;
  } else if (twist.w != 0) {
    wanted = std::copysign(most, twist.w);
    command.at_limit = command.in_place = true;
  }
  command.curvature = std::clamp(wanted, -most, most);
  command.wheels = wheels_on(geometry, twist.v, command.curvature);
  if (!all_finite(values(command.wheels))) return too_large("twist");
  command.twist = {twist.v, command.at_limit ? twist.v * command.curvature : twist.w};
  command.middle_angle = middle_angle(geometry, command.curvature);
  return command;
}

Result<Estimate> twist_from_wheels(const Geometry& geometry, const Wheels& wheels, double steering_weight) {
  const std::array<double, 4> measured = values(wheels);
  for (std::size_t i = 0; i < 4; ++i)
    if (!std::isfinite(measured[i])) return not_finite(wheel_names[i], measured[i]);
  if (!(steering_weight >= 0 && std::isfinite(steering_weight))) {
    return Error{Fault::invalid, fmt::format("steering_weight: expected 0 or more, got {}", steering_weight)};
  }
  const double half = geometry.traction_track / 2;
  const double right = wheels.front_right * geometry.wheel_radius, left = wheels.front_left * geometry.wheel_radius;
  const SteeredRow a = steered_row(geometry, wheels.rear_right, -geometry.steering_track / 2);
  const SteeredRow b = steered_row(geometry, wheels.rear_left, geometry.steering_track / 2);
  // The normal equations of v + w half = right, v - w half = left, along_w w - along_v v = 0 (twice).
  const double vv = 2 + steering_weight * (a.along_v * a.along_v + b.along_v * b.along_v);
  const double ww = 2 * half * half + steering_weight * (a.along_w * a.along_w + b.along_w * b.along_w);
  const double vw = -steering_weight * (a.along_v * a.along_w + b.along_v * b.along_w);
  const double from_v = right + left, from_w = half * (right - left);
  const double determinant = vv * ww - vw * vw;
  Estimate estimate;
  Twist& twist = estimate.twist;
  twist = {(from_v * ww - from_w * vw) / determinant, (from_w * vv - from_v * vw) / determinant};
  estimate.slips = {right - (twist.v + twist.w * half), left - (twist.v - twist.w * half),
                    a.along_w * twist.w - a.along_v * twist.v, b.along_w * twist.w - b.along_v * twist.v};
  if (!all_finite(estimate.slips)) return too_large("wheels");
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(estimate.slips[i]) <= estimate.slip) continue;
    estimate.slip = std::abs(estimate.slips[i]);
    estimate.worst = i;
  }
  return estimate;
}

double speed_until_steered(double wanted_angle, double measured_angle) {
  constexpr double free = std::numbers::pi / 6;  // rad
  constexpr double least = 0.01;
  const double missing = std::abs(wanted_angle - measured_angle);
  if (missing < free) return 1;
  if (!(missing < std::acos(least))) return least;
  return std::cos(missing) / std::cos(free);
}

Result<Twist> limited(const Limits& limits, const Twist& wanted, const Twist& last, double dt) {
  const std::array<std::pair<std::string_view, double>, 5> numbers = {
      {{"v", wanted.v}, {"w", wanted.w}, {"last v", last.v}, {"last w", last.w}, {"dt", dt}}};
  for (const auto& [name, number] : numbers)
    if (!std::isfinite(number)) return not_finite(name, number);
  if (dt <= 0) return last;
  return Twist{toward(wanted.v, last.v, limits.speed, limits.acceleration * dt),
               toward(wanted.w, last.w, limits.turn, limits.turn_acceleration * dt)};
}

}  // namespace tandem::kinematics::ackermann
