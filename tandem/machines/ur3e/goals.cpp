// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

namespace trajectory = kinematics::trajectory;

// As ur_robot_driver configures its trajectory controller.
constexpr Tolerance default_path = {0.2, 0}, default_goal = {0.1, 0};
// A servo follows with a delay, which is not a way off the path: a joint may be anywhere between where it should be now
// and where it should have been this long ago.
constexpr double servo_delay = 0.15;  // s
constexpr int delay_steps = 3;
// Near enough that waiting longer brings nothing.
constexpr double settled_position = 5e-4;  // rad
constexpr double settled_speed = 5e-3;     // rad/s

}  // namespace

TrajectoryRequest::TrajectoryRequest() {
  path.fill(default_path);
  goal.fill(default_goal);
}

Result<void> TrajectoryRequest::plan(const trajectory::JointState& start) {
  const auto near = [](const Joints& a, const Joints& b, double most) { return (a - b).cwiseAbs().maxCoeff() <= most; };
  if (planned && near(planned->start.q, start.q, settled_position) &&
      near(planned->start.qd, start.qd, settled_speed) && near(planned->start.qdd, start.qdd, settled_speed))
    return {};
  auto path = trajectory::WaypointPath::make(arm_model, start, points);
  if (!path) return std::move(path).error();
  planned = Plan{start, std::move(*path)};
  return {};
}

void Commands::drive(std::shared_ptr<TrajectoryRequest> wanted) {
  if (const auto before = trajectory.post(std::move(wanted)); before && before->finished)
    before->finished(Finish::replaced, "superseded by a newer trajectory");
}

void Commands::grip(std::size_t finger, std::shared_ptr<GripRequest> wanted) {
  if (const auto before = grips[finger].post(std::move(wanted)); before && before->finished)
    before->finished(Finish::replaced, HandState{});
}

Result<Follower> Follower::begin(std::shared_ptr<TrajectoryRequest> wanted, const trajectory::JointState& start) {
  if (auto planned = wanted->plan(start); !planned) return std::move(planned).error();
  trajectory::WaypointPath path = std::move(wanted->planned->path);
  wanted->planned.reset();
  Follower follower(std::move(wanted), std::move(path));
  follower.reference_ = follower.path_.sample(0);
  return follower;
}

Follower::Verdict Follower::step(double dt, double speed_scaling, const Six& q, const Six& qd) {
  if (!on_path(q, qd)) return Verdict::strayed;
  time_ += dt * std::clamp(speed_scaling, 0.0, 1.0);
  reference_ = path_.sample(std::min(time_, duration()));
  if (time_ < duration()) return Verdict::going;
  reference_.qd.setZero();
  reference_.qdd.setZero();
  const bool over = time_ - duration() >= wanted_->overtime;
  if (!over && !settled(q, qd)) return Verdict::going;
  if (at_goal(q, qd)) return Verdict::reached;
  return over ? Verdict::missed : Verdict::going;
}

bool Follower::on_path(const Six& q, const Six& qd) {
  Joints lowest = reference_.q, highest = reference_.q;
  for (int k = 1; k <= delay_steps; ++k) {
    const double t = std::max(0.0, std::min(time_, duration()) - servo_delay * k / delay_steps);
    const Joints before = path_.sample(t).q;
    lowest = lowest.cwiseMin(before);
    highest = highest.cwiseMax(before);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const Tolerance& allowed = wanted_->path[i];
    // As joint_trajectory_controller judges: against where the joint should be now, and not after the last point.
    if (allowed.given && time_ >= duration()) continue;
    const auto joint = static_cast<Eigen::Index>(i);
    const double off = allowed.given ? std::abs(q[i] - reference_.q[joint])
                                     : std::max({lowest[joint] - q[i], q[i] - highest[joint], 0.0});
    const double speed_off = std::abs(qd[i] - reference_.qd[joint]);
    if (allowed.position > 0 && off > allowed.position) {
      why_ = fmt::format("{} deviates {:.4g} rad from its path at {:.3f} s (tolerance {:.4g})", joint_names[i], off,
                         time_, allowed.position);
      return false;
    }
    if (allowed.speed > 0 && speed_off > allowed.speed) {
      why_ = fmt::format("{} deviates {:.4f} rad/s from its speed at {:.3f} s (tolerance {:.4g})", joint_names[i],
                         speed_off, time_, allowed.speed);
      return false;
    }
  }
  return true;
}

bool Follower::settled(const Six& q, const Six& qd) const {
  for (std::size_t i = 0; i < 6; ++i) {
    const double off = std::abs(q[i] - reference_.q[static_cast<Eigen::Index>(i)]);
    if (off > settled_position || std::abs(qd[i]) > settled_speed) return false;
  }
  return true;
}

bool Follower::at_goal(const Six& q, const Six& qd) {
  for (std::size_t i = 0; i < 6; ++i) {
    const double off = std::abs(q[i] - reference_.q[static_cast<Eigen::Index>(i)]);
    const Tolerance& allowed = wanted_->goal[i];
    if (allowed.position > 0 && off > allowed.position) {
      why_ = fmt::format("{} is {:.4g} rad from its goal {:.2f} s after its time (tolerance {:.4g})", joint_names[i],
                         off, time_ - duration(), allowed.position);
      return false;
    }
    if (allowed.speed > 0 && std::abs(qd[i]) > allowed.speed) {
      why_ = fmt::format("{} still moves at {:.4f} rad/s {:.2f} s after its time (tolerance {:.4g})", joint_names[i],
                         std::abs(qd[i]), time_ - duration(), allowed.speed);
      return false;
    }
  }
  return true;
}

}  // namespace tandem::ur3e
