// SPDX-License-Identifier: Apache-2.0
// Where the platform is, by those of its cables that are taut: a slack one says nothing about it.
#pragma once

#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/machines/cable_robot/winches.hpp"

namespace tandem::cable_robot {

// Stretched lengths: what the encoders say, and the stretch of the measured tensions.
cables::PerCable stretched_lengths(const cables::Robot& robot, const WinchFeedback& feedback);

// Without the cables whose bit in `slack` or `gone` is set. What the others leave open stays as it was near. At most 8
// iterations; not converged when no cable is left. Nothing throws or allocates.
cables::PoseFit taut_pose(const cables::Robot& robot, const cables::PerCable& stretched, std::uint16_t slack,
                          std::uint16_t gone, const Pose& near);

}  // namespace tandem::cable_robot
