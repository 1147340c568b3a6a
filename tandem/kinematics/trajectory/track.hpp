// SPDX-License-Identifier: Apache-2.0
// A motion of the tool turned into one of the joints, and checked before anything moves.
#pragma once

#include <vector>

#include "tandem/kinematics/trajectory/joint.hpp"
#include "tandem/kinematics/trajectory/tool.hpp"
#include "tandem/kinematics/ur/inverse.hpp"

namespace tandem::kinematics::trajectory {

// Which arm, and what it holds.
struct Arm {
  const Model* model = &ur::ur3e;
  Pose X_flange_tcp = Pose::Identity();
};

// Joint speeds for a twist of the tool centre point; near a singularity damped, so that they stay finite.
Joints joint_speeds(const Arm& arm, const Joints& q, const Vector6& twist);

// The joints for a state of the tool, nearest to `near`. The acceleration is left at zero.
Result<JointState> joints_from_tool(const Arm& arm, const ToolState& tool, const Joints& near);

// A tool move that the arm can follow from where it is.
class ToolTrack {
 public:
  // Walks the whole way in steps of `step` (s): a point out of reach, a joint faster than its limit or a jump to
  // another configuration is an error that names the time, the joint and the values.
  static Result<ToolTrack> check(const Arm& arm, ToolMove move, const Joints& start, double step = 0.004);

  // The acceleration is a difference of speeds.
  Result<JointState> sample(double t) const;
  // Joints seen at about that time, as a start for the inverse kinematics.
  const Joints& near(double t) const;
  double duration() const { return move_.duration(); }
  const ToolMove& move() const { return move_; }
  const Joints& start() const { return joints_.front(); }
  const Joints& end() const { return joints_.back(); }
  double peak() const { return peak_; }  // the largest joint speed over its limit, at most 1

 private:
  Arm arm_;
  ToolMove move_;
  std::vector<Joints> joints_;
  double step_ = 0, peak_ = 0;
};

}  // namespace tandem::kinematics::trajectory
