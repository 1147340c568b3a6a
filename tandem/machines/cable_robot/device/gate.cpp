// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/device/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::cable_robot {
namespace {

constexpr double length_leeway = 0.5;  // m beyond the ends that an encoder may count
constexpr double speed_leeway = 5;     // times the limit
constexpr double tension_leeway = 20;  // times the limit; a load cell that pushes is one that is not zeroed
constexpr double jump_leeway = 0.001;  // m; a torn length is wrong by 6.6 mm
constexpr double longest_step = 0.05;  // s; after longer ones a jump is no surprise

}  // namespace

int Gate::jumped(const cables::PerCable& from, const cables::PerCable& to, double dt) const {
  if (from.size() != to.size()) return -1;
  const double most = jump_leeway + 1.5 * limits_.speed * std::clamp(dt, 0.0, longest_step);
  for (int i = 0; i < to.size(); ++i) {
    if (std::abs(to[i] - from[i]) > most) return i;
  }
  return -1;
}

machines::Verdict Gate::judge(const WinchFeedback& measured, double dt) {
  const auto beyond = [](int i, const char* quantity, double value, double low, double high, const char* unit) {
    return machines::Verdict{Quality::invalid, fmt::format("winch {}: expected a {} of {:.3g} to {:.3g} {}, got {:.4g}",
                                                           i, quantity, low, high, unit, value)};
  };
  const double low = limits_.shortest - length_leeway, high = limits_.longest + length_leeway;
  const double fast = speed_leeway * limits_.speed, strong = tension_leeway * limits_.most_tension;
  for (int i = 0; i < measured.lengths.size(); ++i) {
    // Each is false for what is no number.
    if (!(measured.lengths[i] >= low && measured.lengths[i] <= high))
      return beyond(i, "length", measured.lengths[i], low, high, "m");
    if (!(std::abs(measured.speeds[i]) <= fast)) return beyond(i, "speed", measured.speeds[i], -fast, fast, "m/s");
    if (!(std::abs(measured.tensions[i]) <= strong))
      return beyond(i, "tension", measured.tensions[i], -strong, strong, "N");
  }
  const int winch = jumped(last_, measured.lengths, dt);
  if (winch >= 0 && (suspect_.size() == 0 || jumped(suspect_, measured.lengths, dt) >= 0)) {
    ++jumps_;
    suspect_ = measured.lengths;
    return {Quality::invalid,
            fmt::format("winch {}: its length jumped: rejected until the next value confirms it", winch)};
  }
  suspect_.resize(0);
  last_ = measured.lengths;
  return {};
}

}  // namespace tandem::cable_robot
