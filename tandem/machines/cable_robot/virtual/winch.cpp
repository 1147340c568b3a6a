// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/winch.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::cable_robot {
namespace {

constexpr double motor_lag = 0.001;          // s, of the speed loop
constexpr double position_gain = 100;        // 1/s, of the drum after its reference and of that after the order
constexpr double tension_gain = 100;         // 1/s, with the cable's stiffness taken out
constexpr double tension_integral = 20;      // 1/s, of that
constexpr double take_up = 0.02;             // m/s, of a slack cable in mode tension
constexpr double overload_patience = 0.005;  // s: a shorter shock is no overload
constexpr double end_band = 1e-6;            // m

// m/s: as fast as can still be stopped within the distance.
double stoppable(double distance, double acceleration) { return std::sqrt(2 * acceleration * std::max(0.0, distance)); }

std::uint16_t bit_of(WinchFlag flag) { return static_cast<std::uint16_t>(flag); }

}  // namespace

void VirtualWinch::latch(WinchFlag flag) {
  latched_ = static_cast<std::uint16_t>(latched_ | bit_of(flag));
  enabled_ = false;
}

void VirtualWinch::enable(bool on) {
  if (on && latched_ != 0) return;
  if (on && !enabled_) {
    reference_ = position_;
    pace_ = speed_;
    sum_ = 0;
  }
  enabled_ = on;
}

void VirtualWinch::place(double unwound) {
  position_ = reference_ = unwound;
  speed_ = pace_ = 0;
}

double VirtualWinch::length_wish(const WinchOrder& order, const WinchLimits& limits, double dt) const {
  const double feed = order.age < glide ? order.speed : 0;
  const double target =
      std::clamp(order.length + order.speed * std::min(order.age, glide), limits.shortest, limits.longest);
  const double error = target - (reference_ + feed * dt);
  // Half the acceleration: the other half is for what the order does meanwhile.
  const double most = stoppable(std::abs(error), limits.acceleration / 2);
  return feed + std::copysign(std::min(position_gain * std::abs(error), most), error);
}

double VirtualWinch::tension_wish(const WinchOrder& order, const WinchLimits& limits, double tension, double dt) {
  const double compliance = std::max(position_, limits.shortest) / stiffness_;  // m/N
  const double error = tension_gain * compliance * (order.tension - tension);   // m/s to wind
  const double feed = order.age < glide ? order.speed : 0;
  const bool slack = tension < limits.least_tension && order.tension > tension;
  if (!slack) sum_ = std::clamp(sum_ + tension_integral * error * dt, -limits.speed, limits.speed);
  const double wish = feed - error - sum_;
  return slack ? std::min(wish, -take_up) : wish;
}

// The reference moves as the limits allow, and the drum follows it.
void VirtualWinch::follow(double wish, const WinchLimits& limits, double dt) {
  const double in = std::min(limits.speed, stoppable(reference_ - limits.shortest, limits.acceleration));
  const double out = std::min(limits.speed, stoppable(limits.longest - reference_, limits.acceleration));
  const double change = limits.acceleration * dt;
  pace_ += std::clamp(std::clamp(wish, -in, out) - pace_, -change, change);
  const double drive = pace_ + position_gain * (reference_ - position_);
  reference_ += pace_ * dt;
  speed_ += (drive - speed_) * -std::expm1(-dt / motor_lag);
}

void VirtualWinch::brake(const WinchLimits& limits, double dt) {
  const double change = limits.acceleration * dt;
  speed_ -= std::clamp(speed_, -change, change);
  sum_ = 0;
}

void VirtualWinch::step(const WinchOrder& order, const WinchLimits& limits, double tension, double dt) {
  if (order.mode != mode_) sum_ = 0;
  mode_ = order.mode;
  const bool moves = enabled_ && mode_ != WinchMode::hold;
  if (!moves)
    brake(limits, dt);
  else
    follow(mode_ == WinchMode::length ? length_wish(order, limits, dt) : tension_wish(order, limits, tension, dt),
           limits, dt);
  if (stuck_) speed_ = 0;
  position_ += speed_ * dt;
  if (!moves) {
    reference_ = position_;
    pace_ = speed_;
  } else if (std::abs(reference_ - position_) > limits.following) {
    latch(WinchFlag::following);
  }
  watch(limits, tension, dt);
}

void VirtualWinch::watch(const WinchLimits& limits, double tension, double dt) {
  over_ = tension > limits.most_tension ? over_ + dt : 0;
  if (over_ >= overload_patience) latch(WinchFlag::overload);
  unsigned seen = 0;
  if (tension < limits.least_tension) seen |= bit_of(WinchFlag::slack);
  if (position_ < limits.shortest + end_band || position_ > limits.longest - end_band)
    seen |= bit_of(WinchFlag::at_end);
  seen_ = static_cast<std::uint16_t>(seen);
}

std::uint16_t VirtualWinch::flags() const {
  unsigned flags = static_cast<unsigned>(seen_ | latched_);
  if (enabled_) flags |= bit_of(WinchFlag::enabled);
  const bool holds = !enabled_ || mode_ == WinchMode::hold;
  if (holds && speed_ == 0) flags |= bit_of(WinchFlag::brake);
  return static_cast<std::uint16_t>(flags);
}

}  // namespace tandem::cable_robot
