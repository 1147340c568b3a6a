// SPDX-License-Identifier: Apache-2.0
// Gains of the controller's outer loop, for the mode it works in.
#pragma once

#include <array>

#include "tandem/kinematics/pid.hpp"
#include "tandem/machines/cable_robot/control/controller.hpp"

namespace tandem::cable_robot {

// Along x, y, z, then about them.
std::array<kinematics::Pid, 6> pose_pids(const cables::Robot& robot, const ControlOptions& options);

}  // namespace tandem::cable_robot
