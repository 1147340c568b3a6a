// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/servo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::kinematics::trajectory {

Result<void> check(const ServoSettings& settings) {
  if (!(settings.lookahead >= 0.03 && settings.lookahead <= 0.2))
    return Error{Fault::invalid,
                 fmt::format("servoj: lookahead_time: expected 0.03 to 0.2 s, got {}", settings.lookahead), 0};
  if (!(settings.gain >= 100 && settings.gain <= 2000))
    return Error{Fault::invalid, fmt::format("servoj: gain: expected 100 to 2000, got {}", settings.gain), 0};
  return {};
}

Result<void> ServoFollower::want(const Joints& target, const ServoSettings& settings) {
  if (auto r = check(settings); !r) return r;
  if (const auto joint = ur::outside_limits(*model_, target)) {
    const auto j = static_cast<std::size_t>(*joint);
    return Error{Fault::invalid,
                 fmt::format("servoj: joint {} cannot go to {} rad, its limits are {:.4f} to {:.4f}",
                             ur::joint_names[j], target[*joint], model_->lowest[j], model_->highest[j]),
                 0};
  }
  target_ = target;
  settings_ = settings;
  return {};
}

const JointState& ServoFollower::step(double dt) {
  if (!(dt > 0)) return state_;
  const double gain = settings_.gain, damping = std::max(gain * settings_.lookahead, 2 * std::sqrt(gain));
  for (int i = 0; i < 6; ++i) {
    const auto j = static_cast<std::size_t>(i);
    const double limit = model_->acceleration[j] * dt;
    const double left = target_[i] - state_.q[i];
    // Backward Euler: stable for every step and gain.
    double speed = (state_.qd[i] + dt * gain * left) / (1 + dt * damping + dt * dt * gain);
    // Not faster than can be stopped from by the target in whole steps: this one and `more` after it.
    const double more = std::max(0.0, std::ceil(0.5 * (std::sqrt(1 + 8 * std::abs(left) / (limit * dt)) - 1)) - 1);
    const double safe = (std::abs(left) / dt + 0.5 * limit * more * (more + 1)) / (more + 1);
    speed = left >= 0 ? std::clamp(speed, 0.0, safe) : std::clamp(speed, -safe, 0.0);
    speed = std::clamp(speed, -model_->speed[j], model_->speed[j]);
    speed = std::clamp(speed, state_.qd[i] - limit, state_.qd[i] + limit);
    state_.qdd[i] = (speed - state_.qd[i]) / dt;
    state_.q[i] += speed * dt;
    state_.qd[i] = speed;
  }
  return state_;
}

}  // namespace tandem::kinematics::trajectory
