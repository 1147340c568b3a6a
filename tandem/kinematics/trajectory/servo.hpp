// SPDX-License-Identifier: Apache-2.0
// servoj: joints that follow targets which arrive again and again.
#pragma once

#include "tandem/kinematics/trajectory/joint.hpp"

namespace tandem::kinematics::trajectory {

struct ServoSettings {
  double lookahead = 0.1;  // s, 0.03 to 0.2: more is smoother and later
  double gain = 300;       // 1/s^2, 100 to 2000: more is stiffer
};

// Errors name the value and its range.
Result<void> check(const ServoSettings& settings);

// A spring to the target with the look-ahead as its damping, never less than critical, within the model's limits of
// speed and acceleration; slows down in time not
// to overshoot.
class ServoFollower {
 public:
  ServoFollower(const Model& model, const JointState& start) : model_(&model), state_(start), target_(start.q) {}

  // Targets that are not finite or outside the joint limits are refused, and the last one stays.
  Result<void> want(const Joints& target, const ServoSettings& settings = {});
  const JointState& step(double dt);
  const JointState& state() const { return state_; }

 private:
  const Model* model_;
  JointState state_;
  Joints target_;
  ServoSettings settings_;
};

}  // namespace tandem::kinematics::trajectory
