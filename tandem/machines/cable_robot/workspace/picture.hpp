// SPDX-License-Identifier: Apache-2.0
// The workspace as a figure: the body cut open, and three slices through home with frame, cables and platform.
#pragma once

#include "tandem/kinematics/cable/workspace/grid.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::cable_robot {

// Body and slices are looked at again, whatever the grid is; the grid's volume is in the title.
Result<plot::Figure> workspace_picture(const cables::Robot& robot, const cables::GridTask& task,
                                       const cables::GridAnswer& answer);

}  // namespace tandem::cable_robot
