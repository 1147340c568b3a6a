// SPDX-License-Identifier: Apache-2.0
// How far a pose may still go before its cables cannot hold it: along the axes, live.
#pragma once

#include <array>
#include <span>

#include "tandem/kinematics/cable/workspace/batch.hpp"

namespace tandem::cables {

// Nothing further away is looked for.
struct BorderReach {
  double distance = 0.1;  // m
  double angle = 0.35;    // rad; 0: do not turn
  double reserve = 0;     // N: a pose with a smaller margin is outside
};

struct Border {
  bool inside = false;
  double margin = 0;    // N, as margin()
  double distance = 0;  // m: the least of the six below; 0 outside, the reach where no border was met
  // Along world axes: +x, -x, +y, -y, +z, -z, m, and turned about them, rad. Each is where the margin first falls below
  // the reserve on steps of an eighth of the reach, found to 1/512 of it: a gap narrower than a step may be passed
  // over.
  std::array<double, 6> moves{}, turns{};
};

// Under 0.3 ms for eight cables on AVX2, with turns; without them a tenth of it. Nothing throws or allocates.
Border distance_to_border(const Robot& robot, const Pose& pose, std::span<const Wrench> loads = {},
                          const BorderReach& reach = {});

}  // namespace tandem::cables
