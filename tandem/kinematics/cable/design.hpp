// SPDX-License-Identifier: Apache-2.0
// What can be wrong with the design of a cable robot; Robot::from asks all of it.
#pragma once

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

// Of a solid box about its middle, kg m^2.
Eigen::Matrix3d box_inertia(double mass, const Eigen::Vector3d& size);

// One cable alone and against those before it.
Result<void> check_cable(const Design& design, int index);
// Every number alone and against its neighbours.
Result<void> check_design(const Design& design);
// Whether the cables resist all motions of the level platform, at home or at one of the places around it: some layouts
// are singular in the middle alone, and those are good. The error says which motion is free, and why.
Result<void> check_rank(const Robot& robot);

}  // namespace tandem::cables
