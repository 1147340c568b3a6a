// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/motion/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/track.hpp"

namespace tandem::ur3e {
namespace {

namespace kin = kinematics::ur;
using kinematics::trajectory::Arm;
using kinematics::trajectory::JointMove;
using kinematics::trajectory::JointStop;
using kinematics::trajectory::ToolMove;
using kinematics::trajectory::ToolTrack;

constexpr double most_slowing = 16;           // of a tool move whose joints would be too fast
constexpr double most_timed_slowing = 65536;  // of one with a time, which may be anything
constexpr double limit_step = 0.004;          // s, between two looks at the speeds of a tool move
constexpr double most_looks = 2000;           // of a long one, in larger steps
constexpr double most_points = 10'000;        // of its track
constexpr double at_rest = 1e-9;              // rad/s

class JointPath final : public Path {
 public:
  explicit JointPath(JointMove move) : move_(std::move(move)) {}
  JointState at(double time) const override { return move_.sample(time); }
  double duration() const override { return move_.duration(); }

 private:
  JointMove move_;
};

class StopPath final : public Path {
 public:
  explicit StopPath(JointStop stop) : stop_(std::move(stop)) {}
  JointState at(double time) const override { return stop_.sample(time); }
  double duration() const override { return stop_.duration(); }

 private:
  JointStop stop_;
};

class ToolPath final : public Path {
 public:
  explicit ToolPath(ToolTrack track) : track_(std::move(track)) {}
  JointState at(double time) const override {
    const auto now = track_.sample(std::clamp(time, 0.0, track_.duration()));
    return now ? *now : JointState{track_.near(time)};
  }
  double duration() const override { return track_.duration(); }

 private:
  ToolTrack track_;
};

// In this time, or as fast as the joints allow. A timed move has ramps of a third; with shorter ones more is possible.
Result<JointMove> timed_move(const Joints& from, const Joints& to, double time) {
  if (auto move = JointMove::make(arm_model, from, to, {1, 1, time})) return move;
  constexpr double any = 1e3;  // the model's limits count
  auto fastest = JointMove::make(arm_model, from, to, {any, any, 0});
  if (!fastest || fastest->duration() >= time) return fastest;
  const double distance = (to - from).cwiseAbs().maxCoeff(), a = fastest->profile().acceleration();
  const double half = a * time / 2;
  return JointMove::make(arm_model, from, to, {half - std::sqrt(std::max(0.0, half * half - a * distance)), a, 0});
}

// Whether all joints stay within their acceleration.
bool is_smooth(const Path& path) {
  const auto looks = static_cast<int>(std::clamp(std::ceil(path.duration() / limit_step), 1.0, most_looks));
  const double step = path.duration() / looks;
  Joints before = Joints::Zero();
  for (int look = 0; look <= looks; ++look) {
    const Joints speed = path.at(look * step).qd;
    for (int i = 0; i < 6; ++i)
      if (std::abs(speed[i] - before[i]) > arm_model.acceleration[static_cast<std::size_t>(i)] * step) return false;
    before = speed;
  }
  return true;
}

// The curve in this time; an error when a joint cannot follow.
Result<std::unique_ptr<Path>> timed_path(const Joints& from, const Curve& curve, double time,
                                         const Pose& X_flange_tcp) {
  auto move = ToolMove::make(curve, {1, 1, time});
  if (!move) return std::move(move).error();
  const double step = std::max(limit_step, move->duration() / most_points);
  auto track = ToolTrack::check({&arm_model, X_flange_tcp}, std::move(*move), from, step);
  if (!track) return std::move(track).error();
  std::unique_ptr<Path> path = std::make_unique<ToolPath>(std::move(*track));
  if (!is_smooth(*path))
    return Error{Fault::invalid, fmt::format("in {:.3f} s a joint would accelerate too fast", time)};
  return path;
}

// In this time, or, within a few percent, as fast as the joints allow.
Result<std::unique_ptr<Path>> shortest_path(const Joints& from, const Curve& curve, double time,
                                            const Pose& X_flange_tcp) {
  auto path = timed_path(from, curve, time, X_flange_tcp);
  double slow = time;
  while (!path && slow < time * most_timed_slowing) path = timed_path(from, curve, slow *= 2, X_flange_tcp);
  if (!path) return path;
  double fast = slow == time ? slow : slow / 2;
  for (int i = 0; i < 5 && fast < slow; ++i) {
    const double middle = (slow + fast) / 2;
    auto shorter = timed_path(from, curve, middle, X_flange_tcp);
    (shorter ? slow : fast) = middle;
    if (shorter) path = std::move(shorter);
  }
  return path;
}

}  // namespace

double blend_time(const Path& path, double radius, const Pose& X_flange_tcp) {
  if (radius <= 0) return path.duration();
  const auto tool_at = [&](double time) -> Eigen::Vector3d {
    return (kin::forward(arm_model, path.at(time).q) * X_flange_tcp).translation();
  };
  const Eigen::Vector3d end = tool_at(path.duration());
  double inside = path.duration(), outside = path.duration() / 2;
  if ((tool_at(outside) - end).norm() <= radius) return outside;
  for (int i = 0; i < 30; ++i) {
    const double middle = (inside + outside) / 2;
    ((tool_at(middle) - end).norm() <= radius ? inside : outside) = middle;
  }
  return inside;
}

Result<std::unique_ptr<Path>> joint_path(const Joints& from, const Joints& to, const Pace& pace) {
  if (!to.allFinite()) return Error{Fault::invalid, "the target contains NaN or infinity"};
  if (const auto joint = kin::outside_limits(arm_model, to))
    return Error{Fault::invalid, fmt::format("joint {} would be at {:.3f} rad, outside its limits",
                                             kin::joint_names[static_cast<std::size_t>(*joint)], to[*joint])};
  auto move = pace.time > 0 ? timed_move(from, to, pace.time) : JointMove::make(arm_model, from, to, pace);
  if (!move) return std::move(move).error();
  return std::unique_ptr<Path>(std::make_unique<JointPath>(std::move(*move)));
}

Result<std::unique_ptr<Path>> tool_path(const Joints& from, const Curve& curve, const Pace& pace,
                                        const Pose& X_flange_tcp) {
  if (curve.length() <= 0) return joint_path(from, from, {});
  const Arm arm{&arm_model, X_flange_tcp};
  if (auto target = kin::nearest(arm_model, curve.end(), from, X_flange_tcp); !target) return std::move(target).error();
  if (pace.time > 0) return shortest_path(from, curve, pace.time, X_flange_tcp);
  Result<ToolTrack> track = Error{};
  // Near a singularity the joints need more time than the tool does.
  for (double slowing = 1; slowing <= most_slowing; slowing *= 2) {
    auto move = ToolMove::make(curve, {pace.speed / slowing, pace.acceleration / slowing, 0});
    if (!move) return std::move(move).error();
    auto checked = ToolTrack::check(arm, std::move(*move), from);
    if (checked) return std::unique_ptr<Path>(std::make_unique<ToolPath>(std::move(*checked)));
    track = std::move(checked);
  }
  return std::move(track).error();
}

std::unique_ptr<Path> stop_path(const Joints& q, const Joints& qd, double deceleration) {
  if (qd.cwiseAbs().maxCoeff() < at_rest) return nullptr;
  auto stop = JointStop::make(q, qd, deceleration);
  return stop ? std::make_unique<StopPath>(std::move(*stop)) : nullptr;
}

}  // namespace tandem::ur3e
