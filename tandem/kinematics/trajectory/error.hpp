// SPDX-License-Identifier: Apache-2.0
// How the trajectories say what is wrong with a move. Only for the sources of this folder.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "tandem/base/result.hpp"

namespace tandem::kinematics::trajectory {

inline Error wrong(std::string text) { return {Fault::invalid, std::move(text), 0}; }

// "speedj: the acceleration must be a number above 0, is -1"; `what` names the move.
inline Result<void> positive(const char* what, const char* name, double value) {
  if (std::isfinite(value) && value > 0) return {};
  return wrong(fmt::format("{}: {}: expected a number above 0, got {}", what, name, value));
}

}  // namespace tandem::kinematics::trajectory
