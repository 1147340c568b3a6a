// SPDX-License-Identifier: Apache-2.0
// The border of the workspace as a closed mesh, for anyone who draws the robot.
#pragma once

#include "tandem/kinematics/cable/workspace/grid.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::cable_robot {

// Where the level platform can be held, looked at on `cells` cells each way: one vertex in each cube of cells that the
// border passes through, drawn to where it does. Empty when no cell is inside.
machines::Part workspace_surface(const cables::Robot& robot, int cells = 18);

// The same for any numbers on a grid, x first: the surface where they are zero, with the numbers above zero inside.
machines::Part zero_surface(const cables::Grid& grid, const std::vector<double>& values);

}  // namespace tandem::cable_robot
