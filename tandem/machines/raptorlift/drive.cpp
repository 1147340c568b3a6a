#include "tandem/machines/raptorlift/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tandem::raptorlift {
namespace {

using kinematics::ackermann::values;
using kinematics::ackermann::wheel_names;

Result<void> check_finite(std::string_view what, const Wheels& wheels) {
  const std::array<double, 4> all = values(wheels);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!std::isfinite(all[i]))
      return Error{Fault::invalid, fmt::format("{} of {}: expected a number, seen {}", what, wheel_names[i], all[i])};
  }
  return {};
}

}  // namespace

Drive::Drive(const DriveOptions& options) : options_(options) {
  traction_.fill(kinematics::Pid(options.traction));
  steering_.fill(kinematics::Pid(options.steering));
}

void Drive::reset() {
  for (auto& pid : traction_) pid.reset();
  for (auto& pid : steering_) pid.reset();
  braking_ = false;
}

double Drive::within(double value, double limit) {
  if (std::abs(value) <= limit) return value;
  ++saturated_;
  return std::clamp(value, -limit, limit);
}

Result<AxisCommands> Drive::step(const Wheels& targets, const Wheels& measured, double dt) {
  if (auto good = check_finite("target", targets); !good) return std::move(good).error();
  if (auto good = check_finite("measurement", measured); !good) return std::move(good).error();
  braking_ = false;
  const std::array<double, 2> speeds = {within(targets.front_right, options_.most_speed),
                                        within(targets.front_left, options_.most_speed)};
  const std::array<double, 2> angles = {within(targets.rear_right, options_.steering_limit),
                                        within(targets.rear_left, options_.steering_limit)};
  AxisCommands commands;
  commands.speed_limits = {std::abs(speeds[0]), std::abs(speeds[1])};
  commands.positions = angles;
  commands.torques = {
      traction_[0].step(speeds[0], measured.front_right, dt), traction_[1].step(speeds[1], measured.front_left, dt),
      steering_[0].step(angles[0], measured.rear_right, dt), steering_[1].step(angles[1], measured.rear_left, dt)};
  return commands;
}

double Drive::brake_torque(double speed) const {
  if (!std::isfinite(speed) || speed == 0) return 0;
  return -options_.brake_torque * std::clamp(speed / options_.brake_fade, -1.0, 1.0);
}

AxisCommands Drive::brake(const Wheels& measured, double dt) {
  if (!braking_) {
    reset();
    kept_ = {measured.rear_right, measured.rear_left};
    for (double& angle : kept_)
      angle = std::isfinite(angle) ? std::clamp(angle, -options_.steering_limit, options_.steering_limit) : 0;
    braking_ = true;
  }
  AxisCommands commands;
  commands.positions = kept_;
  commands.torques = {brake_torque(measured.front_right), brake_torque(measured.front_left),
                      steering_[0].step(kept_[0], measured.rear_right, dt),
                      steering_[1].step(kept_[1], measured.rear_left, dt)};
  return commands;
}

// Linear down to brake_fade, exponential below, as the brake torque fades there.
double Drive::left_of(double speed, double unseen) const {
  const double size = std::abs(speed), steady = std::max(size - options_.brake_fade, 0.0) / options_.slowing;
  const double left = unseen < steady ? size - options_.slowing * unseen
                                      : std::min(size, options_.brake_fade) *
                                            std::exp(-(unseen - steady) * options_.slowing / options_.brake_fade);
  return left < 4 * options_.standstill ? 0 : std::copysign(left, speed);
}

AxisCommands Drive::brake_unseen(const Wheels& last_known, double unseen) const {
  AxisCommands commands;
  commands.torques[0] = brake_torque(left_of(last_known.front_right, unseen));
  commands.torques[1] = brake_torque(left_of(last_known.front_left, unseen));
  commands.positions = {last_known.rear_right, last_known.rear_left};
  for (double& angle : commands.positions)
    angle = std::isfinite(angle) ? std::clamp(angle, -options_.steering_limit, options_.steering_limit) : 0;
  return commands;
}

bool Drive::standing(const Wheels& measured) const {
  return std::abs(measured.front_right) < options_.standstill && std::abs(measured.front_left) < options_.standstill;
}

}  // namespace tandem::raptorlift
