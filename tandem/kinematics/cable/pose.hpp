// SPDX-License-Identifier: Apache-2.0
// Where the platform is, from the lengths of its cables: Gauss-Newton on position and attitude, damped where a plain
// step would not come nearer.
#pragma once

#include <span>

#include "tandem/kinematics/cable/pulley.hpp"
#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

struct PoseFit {
  Pose pose = Pose::Identity();
  double residual = 0;  // m, root mean square over the cables
  int iterations = 0;
  bool converged = false;  // no small motion fits better
};

// The best fit that lies downhill of the start. Nothing throws or allocates; at most 60 iterations, 3 to 5 from near.
// With pulleys, one for each cable, the lengths are theirs. Lengths or a start that are not finite, or lengths in the
// wrong number, give the start back, not converged.
PoseFit fit_pose(const Robot& robot, const PerCable& lengths, const Pose& start, std::span<const Pulley> pulleys = {});

// From any start: home first, then others until one fits. With six cables several poses may have the same lengths; the
// one found is downhill of the first start that fits. Fault::invalid for a wrong number of lengths and for lengths that
// are not positive and finite; Fault::not_found, naming the cable at fault where that can be reported, when no pose was
// found that has them to 1 % of their mean.
Result<PoseFit> pose_from_lengths(const Robot& robot, const PerCable& lengths, std::span<const Pulley> pulleys = {});
// The start first. The continuous way: what is found is where the platform went, unless it jumped.
Result<PoseFit> pose_from_lengths(const Robot& robot, const PerCable& lengths, const Pose& start,
                                  std::span<const Pulley> pulleys = {});

}  // namespace tandem::cables
