// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::kinematics::trajectory {
namespace {

double duration_of(const auto& move) {
  return std::visit([](const auto& m) { return m.duration(); }, move);
}

const Joints& end_of(const auto& move) {
  return std::visit([](const auto& m) -> const Joints& { return m.end(); }, move);
}

Result<JointState> sample_of(const JointMove& move, double t) { return move.sample(t); }
Result<JointState> sample_of(const ToolTrack& track, double t) { return track.sample(t); }

// When the tool is within `radius` of the target for good; the way into it is looked for from the end.
double entering(const Arm& arm, const JointMove& move, double radius) {
  const Eigen::Vector3d point = arm.X_flange_tcp.translation();
  const Eigen::Vector3d target = ur::forward(*arm.model, move.end()) * point;
  const auto away = [&](double t) { return (ur::forward(*arm.model, move.sample(t).q) * point - target).norm(); };
  double outside = move.duration(), inside = outside;
  for (int k = 1; k <= 64; ++k) {
    outside = move.duration() * (1 - k / 64.0);
    if (away(outside) > radius) break;
    inside = outside;
  }
  for (int k = 0; k < 40 && inside > outside; ++k) {
    const double middle = 0.5 * (inside + outside);
    (away(middle) > radius ? outside : inside) = middle;
  }
  return inside;
}

double entering(const Arm&, const ToolTrack& track, double radius) {
  const ToolMove& move = track.move();
  if (move.curve().turning()) return move.duration();
  return move.profile().time_of(move.curve().length() - radius);
}

double slowing_of(const JointMove& move) { return move.profile().slowing(); }
double slowing_of(const ToolTrack& track) { return track.move().profile().slowing(); }

// Both motions about their common point: positions add, turns follow each other.
ToolState composed(const ToolState& a, const ToolState& b, const Pose& meeting) {
  ToolState sum;
  sum.X.translation() = a.X.translation() + b.X.translation() - meeting.translation();
  const Eigen::Matrix3d turn = a.X.linear() * meeting.linear().transpose();
  sum.X.linear() = Eigen::Quaterniond(turn * b.X.linear()).normalized().toRotationMatrix();
  sum.twist.head<3>() = a.twist.head<3>() + b.twist.head<3>();
  sum.twist.tail<3>() = a.twist.tail<3>() + turn * b.twist.tail<3>();
  return sum;
}

}  // namespace

double Path::ready(const Entry& entry) const {
  const double end = duration_of(entry.move);
  if (entry.blend <= 0) return entry.start + end;
  return entry.start + std::visit(
                           [&](const auto& move) {
                             return std::min(end, std::max(slowing_of(move), entering(arm_, move, entry.blend)));
                           },
                           entry.move);
}

Result<void> Path::append(Move move, double blend) {
  if (!(std::isfinite(blend) && blend >= 0))
    return Error{Fault::invalid, fmt::format("blend radius: expected 0 or more, got {}", blend), 0};
  double start = 0, end = 0;
  if (!entries_.empty()) {
    const Entry& last = entries_.back();
    end = last.start + duration_of(last.move);
    start = ready(last);
    if (entries_.size() > 1) {
      const Entry& before = entries_[entries_.size() - 2];
      start = std::max(start, before.start + duration_of(before.move));
    }
  }
  entries_.push_back({std::move(move), start, blend});
  // A shorter blend when the sum of both is too fast for a joint.
  for (int tries = 0; tries < 6 && start < end; ++tries) {
    if (within_speeds(start, end)) return {};
    start = tries == 5 ? end : 0.5 * (start + end);
    entries_.back().start = start;
  }
  return {};
}

bool Path::within_speeds(double from, double to) const {
  constexpr int points = 24;
  for (int k = 0; k <= points; ++k) {
    const auto state = sample(from + (to - from) * k / points);
    if (!state) return false;
    for (int i = 0; i < 6; ++i)
      if (std::abs(state->qd[i]) > arm_.model->speed[static_cast<std::size_t>(i)] * (1 + 1e-6)) return false;
  }
  return true;
}

Result<void> Path::move_joints(const Joints& to, const Pace& pace, double blend) {
  auto move = JointMove::make(*arm_.model, end(), to, pace);
  if (!move) return move.error();
  return append(std::move(*move), blend);
}

Result<void> Path::append_tool(Result<Curve> curve, const Pace& pace, double blend, const TurnLimits& limits) {
  if (!curve) return curve.error();
  auto move = ToolMove::make(std::move(*curve), pace, limits);
  if (!move) return move.error();
  auto track = ToolTrack::check(arm_, std::move(*move), end());
  if (!track) return track.error();
  return append(std::move(*track), blend);
}

Result<void> Path::move_line(const Pose& to, const Pace& pace, double blend, const TurnLimits& limits) {
  return append_tool(Curve::line(end_pose(), to), pace, blend, limits);
}

Result<void> Path::move_circle(const Pose& via, const Pose& to, const Pace& pace, double blend,
                               ArcOrientation orientation, const TurnLimits& limits) {
  return append_tool(Curve::circle(end_pose(), via, to, orientation), pace, blend, limits);
}

Result<void> Path::move_process(std::span<const Corner> corners, const Pace& pace, const TurnLimits& limits) {
  const double blend = corners.empty() ? 0 : corners.back().radius;
  return append_tool(Curve::rounded(end_pose(), corners), pace, blend, limits);
}

Result<JointState> Path::blended(const Entry& first, const Entry& second, double t) const {
  const double t1 = t - first.start, t2 = t - second.start;
  const auto* a = std::get_if<ToolTrack>(&first.move);
  const auto* b = std::get_if<ToolTrack>(&second.move);
  if (a != nullptr && b != nullptr) {
    constexpr double h = 5e-4;  // s
    const Pose meeting = b->move().curve().start();
    const auto at = [&](double shift, const Joints& near) {
      return joints_from_tool(arm_, composed(a->move().sample(t1 + shift), b->move().sample(t2 + shift), meeting),
                              near);
    };
    // Both tracks' own joints add to a start that is right to second order.
    auto state = at(0, a->near(t1) + b->near(t2) - b->start());
    if (!state) return state;
    const auto before = at(-h, state->q), after = at(h, state->q);
    if (before && after) state->qdd = (after->qd - before->qd) / (2 * h);
    return state;
  }
  const auto sampled = [](const Move& move, double time) {
    return std::visit([&](const auto& m) { return sample_of(m, time); }, move);
  };
  auto one = sampled(first.move, t1);
  if (!one) return one;
  const auto two = sampled(second.move, t2);
  if (!two) return two;
  return JointState{one->q + two->q - end_of(first.move), one->qd + two->qd, one->qdd + two->qdd};
}

Result<JointState> Path::sample(double t) const {
  if (entries_.empty()) return JointState{start_, Joints::Zero(), Joints::Zero()};
  std::size_t k = entries_.size() - 1;
  while (k > 0 && !(t >= entries_[k].start)) --k;
  if (k > 0) {
    const Entry& before = entries_[k - 1];
    if (t < before.start + duration_of(before.move)) return blended(before, entries_[k], t);
  }
  return std::visit([&](const auto& move) { return sample_of(move, t - entries_[k].start); }, entries_[k].move);
}

double Path::duration() const {
  double end = 0;
  for (std::size_t k = entries_.size(), n = 0; k-- > 0 && n < 2; ++n)
    end = std::max(end, entries_[k].start + duration_of(entries_[k].move));
  return end;
}

double Path::blend_time() const { return entries_.empty() ? 0 : ready(entries_.back()); }

Joints Path::end() const { return entries_.empty() ? start_ : end_of(entries_.back().move); }

Pose Path::end_pose() const {
  if (!entries_.empty())
    if (const auto* track = std::get_if<ToolTrack>(&entries_.back().move)) return track->move().curve().end();
  return ur::forward(*arm_.model, end()) * arm_.X_flange_tcp;
}

}  // namespace tandem::kinematics::trajectory
