// SPDX-License-Identifier: Apache-2.0
// What straight cables from point to point leave out, as far as a geometry file describes it: pulleys, weight, drums.
#pragma once

#include <optional>

#include "tandem/kinematics/cable/winch.hpp"

namespace tandem::cable_robot {

struct Fittings {
  double pulley_radius = 0;          // m; 0: cables leave the frame at a point. Each arrives there from below, along z.
  double cable_weight = 0;           // N/m; 0: cables do not sag. Not together with pulleys.
  std::optional<cables::Drum> drum;  // of every winch; its angle is 0 with the platform at home
};

}  // namespace tandem::cable_robot
