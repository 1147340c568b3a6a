// SPDX-License-Identifier: Apache-2.0
// The workspace as a body seen from above a corner, with the quarter towards the viewer cut away: the cuts show the
// margins, and frame and cables are where they are.
#pragma once

#include "tandem/kinematics/cable/workspace/grid.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::cable_robot {

// Below this nothing is drawn: without closure the margin is zero and not less.
inline double least_inside(cables::Kind kind) { return kind == cables::Kind::closure ? 1e-3 : 0; }

// The answer has a grid fine enough to be looked at; colours of the cuts are those of the scale.
plot::Panel workspace_view(const cables::Robot& robot, const cables::GridTask& task, const cables::GridAnswer& answer,
                           const plot::ColorScale& scale);

}  // namespace tandem::cable_robot
