// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/track.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/linear.hpp"

namespace tandem::kinematics::trajectory {

Joints joint_speeds(const Arm& arm, const Joints& q, const Vector6& twist) {
  const ur::Jacobian j = ur::jacobian(*arm.model, q, arm.X_flange_tcp.translation());
  const Elimination elimination(j);
  if (std::abs(elimination.determinant()) > 1e-9) return elimination.solve(twist);
  // Damped least squares: 1e-4 of damping keeps speeds within 5000 times the twist.
  const ur::Jacobian damped = j * j.transpose() + 1e-8 * ur::Jacobian::Identity();
  return j.transpose() * solve_positive(damped, twist);
}

Result<JointState> joints_from_tool(const Arm& arm, const ToolState& tool, const Joints& near) {
  auto found = ur::nearest(*arm.model, tool.X, near, arm.X_flange_tcp);
  if (!found) return found.error();
  return JointState{found->q, joint_speeds(arm, found->q, tool.twist), Joints::Zero()};
}

Result<ToolTrack> ToolTrack::check(const Arm& arm, ToolMove move, const Joints& start, double step) {
  if (!start.allFinite()) return Error{Fault::invalid, "tool move: the start's joints are not finite", 0};
  if (!(std::isfinite(step) && step > 0))
    return Error{Fault::invalid, fmt::format("tool move: step: expected a number above 0, got {}", step), 0};
  const double duration = move.duration();
  // Very long moves are walked in larger steps, at most a hundred thousand.
  const double wanted = std::ceil(duration / step);
  const auto steps = static_cast<std::size_t>(std::clamp(wanted, 1.0, 1e5));
  ToolTrack track;
  track.arm_ = arm;
  track.step_ = duration / static_cast<double>(steps);
  track.joints_.reserve(steps + 1);
  Joints last = start;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double t = track.step_ * static_cast<double>(k);
    auto state = joints_from_tool(arm, move.sample(t), last);
    if (!state) return within(fmt::format("at {:.3f} s of {:.3f}", t, duration), state.error());
    for (int i = 0; i < 6; ++i) {
      const auto j = static_cast<std::size_t>(i);
      const double limit = arm.model->speed[j];
      // Between two points too: a jump to another configuration is seen there.
      const double mean = k > 0 && track.step_ > 0 ? std::abs(state->q[i] - last[i]) / track.step_ : 0;
      const double speed = std::max(std::abs(state->qd[i]), mean);
      if (k == 0 && std::abs(state->q[i] - start[i]) > 1e-3)
        return Error{Fault::invalid,
                     fmt::format("tool move: joint {0}: expected {2:.4f} rad at the start of the move, got {1:.4f}",
                                 ur::joint_names[j], start[i], state->q[i]),
                     0};
      if (speed > limit * (1 + 1e-6))
        return Error{Fault::unreachable,
                     fmt::format("at {:.3f} s of {:.3f}: joint {} would need {:.3f} rad/s, its limit is {:.3f}", t,
                                 duration, ur::joint_names[j], speed, limit),
                     0};
      track.peak_ = std::max(track.peak_, speed / limit);
    }
    last = state->q;
    track.joints_.push_back(last);
  }
  track.move_ = std::move(move);
  return track;
}

const Joints& ToolTrack::near(double t) const {
  if (!(t > 0) || step_ <= 0) return t > 0 ? joints_.back() : joints_.front();
  const double k = std::min(std::round(t / step_), static_cast<double>(joints_.size() - 1));
  return joints_[static_cast<std::size_t>(k)];
}

Result<JointState> ToolTrack::sample(double t) const {
  constexpr double h = 5e-4;  // s
  auto state = joints_from_tool(arm_, move_.sample(t), near(t));
  if (!state) return state;
  const auto before = joints_from_tool(arm_, move_.sample(t - h), state->q);
  const auto after = joints_from_tool(arm_, move_.sample(t + h), state->q);
  if (before && after) state->qdd = (after->qd - before->qd) / (2 * h);
  return state;
}

}  // namespace tandem::kinematics::trajectory
