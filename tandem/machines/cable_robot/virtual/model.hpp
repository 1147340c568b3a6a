// SPDX-License-Identifier: Apache-2.0
// The cable robot as a MuJoCo model, generated from its design.
#pragma once

#include <string>

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cable_robot {

// m: the ground of the world, or lower where a frame or a platform at home reaches lower.
double floor_height(const cables::Design& design);

// MJCF text. The body "platform" with a free joint starts at home; its box meets the floor and nothing else. Cable i is
// the tendon and the motor "cable<i>" from a site of the world to a site of the platform: a negative control pulls, N.
std::string mjcf(const cables::Design& design, double timestep);

}  // namespace tandem::cable_robot
