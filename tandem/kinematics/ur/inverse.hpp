// SPDX-License-Identifier: Apache-2.0
// Inverse kinematics of Universal Robots arms in closed form: all solutions, and the one nearest to where the arm is.
#pragma once

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ur/kernels.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::kinematics::ur {

// How far the forward kinematics of a solution may be from the pose that was asked for. The wrist counts as singular
// when it can be straightened within it.
struct Tolerance {
  double position = 1e-9;     // m
  double orientation = 1e-9;  // rad
};

struct Solutions {
  std::array<Joints, 8> q;  // each angle within [-pi, pi]
  int count = 0;            // 0 to 8
  // What makes solutions meet or an angle free; a pose may be more than one of it.
  bool wrist_singular = false;     // axes 4 and 6 parallel within the tolerance: wrist 3 is free
  bool shoulder_singular = false;  // wrist as near to the axis of joint 1 as it can be: both shoulders are one
  bool elbow_singular = false;     // arm stretched or folded in a solution: both elbows are one
};

// All solutions for the pose of the flange, each checked by forward kinematics in position and orientation; joint
// limits are not looked at. A singular wrist keeps both its solutions as long as the pose says where wrist 3 is, down
// to a sine of joint 5 of 1e-12; below, it is one, with wrist 3 as near to `wrist_3` as the arm reaches. No solution
// when the pose is out of reach or no pose (not finite, not a rotation). Returns the count.
int all_solutions(const Model& model, const Pose& X_base_flange, Solutions& out, double wrist_3 = 0,
                  const Tolerance& tolerance = {}, const kernel::Kernels& kernels = kernel::best());

// Why all_solutions finds none, in words: too far, too near the axis of joint 1, too near the shoulder, no pose at all.
Error why_unreachable(const Model& model, const Pose& X_base_flange);

struct Nearest {
  Joints q;
  double distance = 0;  // root of the sum of squares to qnear, rad
  bool wrist_singular = false, shoulder_singular = false, elbow_singular = false;
};

// The solution nearest to `qnear`, each joint modulo 2 pi and within its limits, for the pose of the tool centre point.
// A singular wrist is straightened where that keeps wrist 3 nearer to where it is.
// When nothing is in reach or within limits, the error says what is in the way.
Result<Nearest> nearest(const Model& model, const Pose& X_base_tcp, const Joints& qnear,
                        const Pose& X_flange_tcp = Pose::Identity(), const Tolerance& tolerance = {});

}  // namespace tandem::kinematics::ur
