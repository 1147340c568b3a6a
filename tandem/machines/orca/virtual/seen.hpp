// SPDX-License-Identifier: Apache-2.0
// What other threads may see of a virtual vehicle: truth and belief as plain numbers, for a latest-value cell.
#pragma once

#include <array>

#include "tandem/machines/orca/virtual/body.hpp"

namespace tandem::orca {

struct Seen {
  double time = 0, submerged = 0;
  bool grounded = false;
  std::array<double, 3> position{}, velocity{}, angular{}, force{}, believed_position{};
  std::array<double, 4> rotation{0, 0, 0, 1}, believed_rotation{0, 0, 0, 1};  // x, y, z, w
  std::array<double, thruster_count> thrusts{};
};

// `X_map_believed` is where the autopilot thinks that it is.
Seen seen_from(const Truth& truth, const Pose& X_map_believed);
Truth truth_from(const Seen& seen);
Pose believed_from(const Seen& seen);

}  // namespace tandem::orca
