// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/device/gate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tandem::raptorlift {

using kinematics::ackermann::values;
using kinematics::ackermann::Wheels;

bool Gate::jumped(const Wheels& from, const Wheels& to) const {
  return std::abs(to.front_right - from.front_right) > limits_.speed_jump ||
         std::abs(to.front_left - from.front_left) > limits_.speed_jump;
}

machines::Verdict Gate::judge(const Wheels& measured) {
  const auto all = values(measured);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double most = i < 2 ? limits_.speed : limits_.angle;
    if (std::abs(all[i]) <= most) continue;  // false for what is no number
    return {Quality::invalid,
            fmt::format("{}: expected within {:.2f} {} either way, got {:.4g}; is word_order right?",
                        kinematics::ackermann::wheel_names[i], most, i < 2 ? "rad/s" : "rad", all[i])};
  }
  const bool jump = last_ && jumped(*last_, measured);
  if (jump && !(suspect_ && !jumped(*suspect_, measured))) {
    ++jumps_;
    suspect_ = measured;
    return {Quality::invalid, "a wheel's speed jumped: rejected until the next value confirms it"};
  }
  suspect_.reset();
  last_ = measured;
  return {};
}

void Gate::forget() {
  last_.reset();
  suspect_.reset();
}

}  // namespace tandem::raptorlift
