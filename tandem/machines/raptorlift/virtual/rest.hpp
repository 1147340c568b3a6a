// SPDX-License-Identifier: Apache-2.0
// When the physics of a truck may sleep: nothing pushes it, and it has stood still for a while.
#pragma once

#include <algorithm>
#include <cmath>

#include "tandem/base/clock.hpp"
#include "tandem/machines/raptorlift/virtual/truck.hpp"

namespace tandem::raptorlift {

// Steps that are left out would move the truck by less than anything can measure; the next one that is made goes on
// from the state before them, so what is true never jumps.
class Rest {
 public:
  // Before each step, with the torques for it; time goes on by `dt` either way.
  bool sleeps(const Axes& torques, const TruckState& truck, Duration dt) {
    still_ = torques == Axes{} && is_still(truck) ? std::min(still_ + dt, until_asleep) : Duration{0};
    return still_ >= until_asleep;
  }
  // Something has happened: it is awake for as long as it takes to fall asleep again.
  void wake() { still_ = Duration{0}; }
  bool asleep() const { return still_ >= until_asleep; }

 private:
  static constexpr Duration until_asleep = 1s;  // what swings has come to rest by then
  static constexpr double least_speed = 1e-4;   // rad/s; feedback counts in 1e-3 at best
  static constexpr double least_twist = 1e-5;   // m/s and rad/s

  static bool is_still(const TruckState& truck) {
    const auto turns = [](double speed) { return std::abs(speed) > least_speed; };
    const auto& twist = truck.twist;
    return std::ranges::none_of(truck.speeds, turns) && std::abs(twist.vx) <= least_twist &&
           std::abs(twist.vy) <= least_twist && std::abs(twist.w) <= least_twist;
  }

  Duration still_{0};
};

}  // namespace tandem::raptorlift
