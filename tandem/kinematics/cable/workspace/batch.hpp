// SPDX-License-Identifier: Apache-2.0
// Many positions of a cable robot at once, at one attitude: one array per coordinate. Runs on the widest vectors that
// the processor has; answers are those of cable_robot.hpp and cable_workspace.hpp, to rounding. Nothing allocates.
#pragma once

#include <array>
#include <span>

#include "tandem/kinematics/cable/kernels.hpp"
#include "tandem/kinematics/cable/workspace/workspace.hpp"

namespace tandem::cables {

using Positions = std::array<std::span<const double>, 3>;  // x, y, z of the platform; of one size, else
                                                           // std::invalid_argument

// lengths[cable][i]; one array for each cable.
void lengths(const Robot& robot, const Eigen::Matrix3d& rotation, const Positions& positions,
             std::span<const std::span<double>> lengths, const kernel::Kernels& kernels = kernel::best());

// margins[i], as margin(). Eight cables go through the kernels, other numbers one by one.
void margins(const Robot& robot, const Eigen::Matrix3d& rotation, const Positions& positions,
             std::span<const Wrench> loads, std::span<double> margins, const kernel::Kernels& kernels = kernel::best());

}  // namespace tandem::cables
