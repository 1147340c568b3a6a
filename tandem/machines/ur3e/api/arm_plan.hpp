// SPDX-License-Identifier: Apache-2.0
// How a move will go, before it goes: its way through the joints by the same mathematics as the controller's.
#pragma once

#include "tandem/kinematics/trajectory/path.hpp"
#include "tandem/machines/ur3e/arm_commands.hpp"

namespace tandem::ur3e {

// The way of a moving command (movej, movel, movep, movec, a path) from where the arm is. A pose out of reach, a
// joint limit or a joint that would be too fast anywhere on the way is an error that names it.
Result<kinematics::trajectory::Path> plan(const command::Any& command, const Joint6D& from, const TCP6D& tcp_offset);

}  // namespace tandem::ur3e
