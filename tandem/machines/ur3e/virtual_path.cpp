#include "tandem/machines/ur3e/virtual_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/kinematics/trajectory_track.hpp"

namespace tandem::ur3e {
namespace {

namespace kin = kinematics::ur;
using kinematics::trajectory::Arm;
using kinematics::trajectory::JointMove;
using kinematics::trajectory::JointStop;
using kinematics::trajectory::ToolMove;
using kinematics::trajectory::ToolTrack;

constexpr double most_slowing = 16;  // of a tool move whose joints would be too fast
constexpr double at_rest = 1e-9;     // rad/s

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
  if (!to.allFinite()) return Error{Fault::invalid, "the target holds a value that is not a number"};
  if (const auto joint = kin::outside_limits(arm_model, to))
    return Error{Fault::invalid, fmt::format("joint {} would be at {:.3f} rad, outside its limits",
                                             kin::joint_names[static_cast<std::size_t>(*joint)], to[*joint])};
  auto move = JointMove::make(arm_model, from, to, pace);
  if (!move) return std::move(move).error();
  return std::unique_ptr<Path>(std::make_unique<JointPath>(std::move(*move)));
}

Result<std::unique_ptr<Path>> tool_path(const Joints& from, const Curve& curve, const Pace& pace,
                                        const Pose& X_flange_tcp) {
  if (curve.length() <= 0) return joint_path(from, from, {});
  const Arm arm{&arm_model, X_flange_tcp};
  if (auto target = kin::nearest(arm_model, curve.end(), from, X_flange_tcp); !target) return std::move(target).error();
  Result<ToolTrack> track = Error{};
  // Near a singularity the joints need more time than the tool does.
  for (double slowing = 1; slowing <= most_slowing; slowing *= 2) {
    auto move = ToolMove::make(curve, {pace.speed / slowing, pace.acceleration / slowing, pace.time * slowing});
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
