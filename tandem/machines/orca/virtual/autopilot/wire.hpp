// SPDX-License-Identifier: Apache-2.0
// Numbers as MAVLink carries them. For the sources of the virtual autopilot.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::orca::wire {

inline float real(double value) { return static_cast<float>(value); }

// The nearest that fits; 0 for what is no number.
template <typename Whole>
Whole whole(double value) {
  constexpr double lowest = std::numeric_limits<Whole>::min(), highest = std::numeric_limits<Whole>::max();
  return std::isfinite(value) ? static_cast<Whole>(std::llround(std::clamp(value, lowest, highest))) : Whole{0};
}

}  // namespace tandem::orca::wire
