// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace tandem::raptorlift {
namespace {

using kinematics::ackermann::values;

// That a wheel does not turn back when its response is stronger than it seems. From 1.5 on it also settles when
// commands act at once and the prediction is a cycle ahead.
constexpr double reversal_margin = 1.75;

Result<void> check_finite(std::string_view what, const Wheels& wheels) {
  const std::array<double, 4> all = values(wheels);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!std::isfinite(all[i]))
      return Error{Fault::invalid, fmt::format("{} of {}: expected a number, got {}", what,
                                               kinematics::ackermann::wheel_names[i], all[i])};
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

// A measurement is older than the command that follows it: by one cycle, in which the last command acted. What counts
// is the speed that is left after that, and a command may take no more than that until the next one, however late.
// Without a new measurement the speed is the one predicted last. The response is learned in steady cycles only: around
// a late command the time between two measurements is not known.
double Drive::brake(Braked& wheel, double speed, const BrakeStep& step) const {
  wheel.stands_in = std::numeric_limits<double>::infinity();
  if (!std::isfinite(speed)) return 0;
  const double full = options_.brake_torque, change = speed - wheel.speed;
  if (wheel.speed * speed < 0) wheel.reversed = true;
  const bool steady = step.dt > 0 && step.dt < 1.5 * last_dt_ && last_dt_ < 1.5 * step.dt;
  const bool told = step.seen && steady && 2 * std::abs(wheel.previous) >= full && change * wheel.previous > 0;
  if (told) wheel.response = change / (wheel.previous * last_dt_);
  const double response = wheel.response > 0 ? wheel.response : options_.slowing / (slowing_margin * full);
  const double left = (step.seen ? speed : wheel.left) + response * wheel.torque * step.dt;
  const double soft = options_.soft_fade, taken = reversal_margin * response * full;
  const double early = std::clamp(taken * step.worst, options_.brake_fade, soft);
  const double fade = std::max(step.seen && !wheel.reversed ? early : soft, taken * step.dt);
  const double torque = left * speed > 0 ? -full * std::clamp(left / fade, -1.0, 1.0) : 0;
  if (torque != 0) wheel.stands_in = -left / (response * torque);
  wheel.speed = speed;
  wheel.left = left;
  wheel.previous = step.seen ? wheel.torque : 0;
  wheel.torque = torque;
  return torque;
}

double Drive::soft_brake(double speed) const {
  if (!std::isfinite(speed)) return 0;
  return -options_.brake_torque * std::clamp(speed / options_.soft_fade, -1.0, 1.0);
}

AxisCommands Drive::brake(const Wheels& measured, const BrakeStep& step) {
  if (!braking_) {
    reset();
    braked_ = {};
    last_dt_ = step.dt;
    kept_ = {measured.rear_right, measured.rear_left};
    for (double& angle : kept_)
      angle = std::isfinite(angle) ? std::clamp(angle, -options_.steering_limit, options_.steering_limit) : 0;
    braking_ = true;
  }
  AxisCommands commands;
  commands.positions = kept_;
  commands.torques = {brake(braked_[0], measured.front_right, step), brake(braked_[1], measured.front_left, step),
                      steering_[0].step(kept_[0], measured.rear_right, step.dt),
                      steering_[1].step(kept_[1], measured.rear_left, step.dt)};
  last_dt_ = step.dt;
  return commands;
}

double Drive::stands_in() const { return std::min(braked_[0].stands_in, braked_[1].stands_in); }

// Linear down to soft_fade, exponential below, as the brake torque fades there.
double Drive::left_of(double speed, double unseen) const {
  const double size = std::abs(speed), steady = std::max(size - options_.soft_fade, 0.0) / options_.slowing;
  const double left = unseen < steady ? size - options_.slowing * unseen
                                      : std::min(size, options_.soft_fade) *
                                            std::exp(-(unseen - steady) * options_.slowing / options_.soft_fade);
  return left < 4 * options_.standstill ? 0 : std::copysign(left, speed);
}

AxisCommands Drive::brake_unseen(const Wheels& last_known, double unseen) const {
  AxisCommands commands;
  commands.torques[0] = soft_brake(left_of(last_known.front_right, unseen));
  commands.torques[1] = soft_brake(left_of(last_known.front_left, unseen));
  commands.positions = {last_known.rear_right, last_known.rear_left};
  for (double& angle : commands.positions)
    angle = std::isfinite(angle) ? std::clamp(angle, -options_.steering_limit, options_.steering_limit) : 0;
  return commands;
}

bool Drive::standing(const Wheels& measured) const {
  return std::abs(measured.front_right) < options_.standstill && std::abs(measured.front_left) < options_.standstill;
}

}  // namespace tandem::raptorlift
