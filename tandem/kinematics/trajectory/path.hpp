// SPDX-License-Identifier: Apache-2.0
// A row of moves, of joints and of the tool in any order, that blend into each other.
#pragma once

#include <variant>
#include <vector>

#include "tandem/kinematics/trajectory/track.hpp"

namespace tandem::kinematics::trajectory {

// Every move ends at rest when nothing follows. When one follows a move with a blend radius, it starts while the tool
// is within that radius of the target and slowing down, and the two are added: position and speed are continuous, the
// target is passed at no more than the radius, and at most two moves run at once (overlapping blends shrink, and so do
// those in which a joint would exceed its speed). Tool moves add as poses, all others as joint angles.
class Path {
 public:
  Path(const Arm& arm, const Joints& start) : arm_(arm), start_(start) {}

  // Each appends one move from where the path ends. `blend` (m) is the radius around its own target. An error leaves
  // the path as it was.
  Result<void> move_joints(const Joints& to, const Pace& pace, double blend = 0);
  Result<void> move_line(const Pose& to, const Pace& pace, double blend = 0, const TurnLimits& limits = {});
  Result<void> move_circle(const Pose& via, const Pose& to, const Pace& pace, double blend = 0,
                           ArcOrientation orientation = ArcOrientation::free, const TurnLimits& limits = {});
  // Constant tool speed through all corners; the last corner's radius is that of the blend into the next move.
  Result<void> move_process(std::span<const Corner> corners, const Pace& pace, const TurnLimits& limits = {});

  Result<JointState> sample(double t) const;
  double duration() const;  // s
  Joints end() const;       // joints at the end
  Pose end_pose() const;    // tool at the end
  const Arm& arm() const { return arm_; }
  std::size_t size() const { return entries_.size(); }
  double start_of(std::size_t move) const { return entries_[move].start; }  // s, when it begins to take part
  // When the tool is so near to the last target that the next move may begin; duration() without a blend.
  double blend_time() const;

 private:
  using Move = std::variant<JointMove, ToolTrack>;
  struct Entry {
    Move move;
    double start, blend;
  };
  Result<void> append(Move move, double blend);
  Result<void> append_tool(Result<Curve> curve, const Pace& pace, double blend, const TurnLimits& limits);
  Result<JointState> blended(const Entry& first, const Entry& second, double t) const;
  bool within_speeds(double from, double to) const;
  double ready(const Entry& entry) const;

  Arm arm_;
  Joints start_;
  std::vector<Entry> entries_;
};

}  // namespace tandem::kinematics::trajectory
