// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/machines/raptorlift/virtual/model.hpp"

namespace tandem::raptorlift {
namespace {

// What the brake takes of the speed in one scan when a wheel is in the air; more would chatter. On the ground, with the
// truck's weight behind the wheel, it is less.
constexpr double brake_share = 0.5;
// Above its speed limit a motor's torque fades to nothing within this share of the limit.
constexpr double limit_band = 0.05;
constexpr double standstill = 0.05;  // rad/s, of a driven wheel

}  // namespace

void VirtualProgram::command(const PlcCommands& commands) {
  commands_ = commands;
  if (!setup_.heartbeat_required) unfed_ = Duration{0};
}

void VirtualProgram::beat() { unfed_ = Duration{0}; }

bool VirtualProgram::any_enabled() const { return std::ranges::find(enabled_, true) != enabled_.end(); }

void VirtualProgram::enable(std::size_t axis, bool on) {
  if (on && braking()) return;
  if (on && !any_enabled()) {
    if (stale()) commands_ = {};
    unfed_ = Duration{0};
  }
  enabled_[axis] = on;
}

void VirtualProgram::reset(bool level) {
  if (level && !reset_level_) tripped_ = PlcTrip::none;
  reset_level_ = level;
}

void VirtualProgram::trip(PlcTrip cause) {
  tripped_ = cause;
  enabled_ = {};
  commands_ = {};
}

Axes VirtualProgram::scan(Duration dt, const Axes& speeds) {
  unfed_ += std::min(dt, Duration::max() / 2 - unfed_);
  if (any_enabled() && stale()) trip(PlcTrip::watchdog);
  const bool rolling = std::abs(speeds[0]) > standstill || std::abs(speeds[1]) > standstill;
  if (!std::exchange(scanned_, true) && !any_enabled() && rolling) trip(PlcTrip::restart);
  const double stiffness = brake_share * traction_inertia / seconds(dt);  // N m s/rad
  Axes torques{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (i < 2)
      torques[i] = braking() ? -std::clamp(stiffness * speeds[i], -setup_.brake_torque, setup_.brake_torque)
                             : driven_torque(i, speeds[i]);
    else if (enabled_[i])
      torques[i] = std::clamp(commands_.torques[i], -setup_.steering_torque, setup_.steering_torque);
  }
  return torques;
}

double VirtualProgram::driven_torque(std::size_t axis, double speed) const {
  if (!enabled_[axis]) return 0;
  const double torque = std::clamp(commands_.torques[axis], -setup_.traction_torque, setup_.traction_torque);
  if (torque * speed < 0) return torque;  // against the motion: no limit
  const double limit = commands_.speed_limits[axis];
  const double over = std::abs(speed) - limit;
  if (limit <= 0) return 0;
  return torque * std::clamp(1 - over / (limit_band * limit), 0.0, 1.0);
}

}  // namespace tandem::raptorlift
