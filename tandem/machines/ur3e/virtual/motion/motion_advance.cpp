// SPDX-License-Identifier: Apache-2.0
// One cycle of each kind of motion.
#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/track.hpp"
#include "tandem/machines/ur3e/virtual/motion/motion.hpp"

namespace tandem::ur3e {
namespace {

constexpr double limit_margin = 0.01;  // rad before the end of a joint
constexpr double turning_arm = 0.1;    // m: a tool that turns counts as a point at this distance

}  // namespace

// hold_ becomes the sum of all that is followed: the newest path, and how far older ones still are from their ends.
void Motion::advance_paths(double dt, double scale) {
  real_.setZero();
  if (!current_.path) return;
  const auto advance = [&](Active& active) {
    const double pace = active.unscaled ? along_ : scale;
    active.time += dt * pace;
    JointState now = active.path->at(active.time);
    now.qd *= pace;
    return now;
  };
  const JointState now = advance(current_);
  hold_ = now.q;
  real_ = now.qd;
  for (Active& tail : tails_) {
    const JointState rest = advance(tail);
    hold_ += rest.q - tail.path->end();
    real_ += rest.qd;
  }
  std::erase_if(tails_, [](const Active& tail) { return tail.time >= tail.path->duration(); });
  if (tails_.empty() && current_.time >= current_.path->duration()) {
    hold_ = current_.path->end();
    real_.setZero();
    current_ = {};
  }
}

void Motion::advance_servo(double dt) {
  if (dt <= 0) return;
  const JointState& now = servo_->step(dt);
  hold_ = now.q;
  speed_ = now.qd;
}

void Motion::advance_speed(double dt) {
  const Joints change = wanted_ - speed_;
  const double largest = change.cwiseAbs().maxCoeff();
  speed_ += largest > ramp_ * dt ? Joints(change * (ramp_ * dt / largest)) : change;
  hold_ += speed_ * dt;
}

void Motion::advance_tool_speed(double dt) {
  const auto ramp = [dt](auto now, const auto& wanted, double most) {
    const Eigen::Vector3d change = wanted - now;
    const double size = change.norm();
    now += size > most * dt ? Eigen::Vector3d(change * (most * dt / size)) : change;
  };
  ramp(twist_.head<3>(), wanted_twist_.head<3>(), ramp_);
  ramp(twist_.tail<3>(), wanted_twist_.tail<3>(), rotation_ramp_);
  follow_twist(dt);
}

// The wanted twist leads straight to the target, at a speed from which the tool can still come to rest there. Rotation
// counts as the way of a point on an arm, and both arrive together.
void Motion::advance_tool_servo(double dt) {
  if (dt <= 0) return;
  const Pose now = kinematics::ur::forward(arm_model, hold_) * X_flange_tcp_;
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(tool_target_.linear() * now.linear().transpose()));
  Twist6 left;
  left << tool_target_.translation() - now.translation(), turn.angle() * turn.axis();
  const auto size = [](const Twist6& twist) {
    return std::max(twist.head<3>().norm(), turning_arm * twist.tail<3>().norm());
  };
  const double distance = size(left);
  const double pace = std::min({most_tool_speed_, distance / dt, std::sqrt(1.5 * ramp_ * distance)});
  Twist6 change = -twist_;
  if (distance > 1e-12) change += left * (pace / distance);
  const double most_change = ramp_ * dt;
  if (const double step = size(change); step > most_change) change *= most_change / step;
  twist_ += change;
  follow_twist(dt);
}

// Joints with the speeds that the twist of the tool takes, all slower when one would be too fast.
void Motion::follow_twist(double dt) {
  speed_ = kinematics::trajectory::joint_speeds({&arm_model, X_flange_tcp_}, hold_, twist_);
  double slowing = 1;
  for (int i = 0; i < 6; ++i)
    slowing = std::max(slowing, std::abs(speed_[i]) / arm_model.speed[static_cast<std::size_t>(i)]);
  speed_ /= slowing;
  hold_ += speed_ * dt;
}

void Motion::keep_limits() {
  if (mode_ == Mode::path && offset_.isZero()) return;
  for (int i = 0; i < 6; ++i) {
    const auto joint = static_cast<std::size_t>(i);
    const double low = arm_model.lowest[joint] + limit_margin, high = arm_model.highest[joint] - limit_margin;
    if (q_[i] >= low && q_[i] <= high) continue;
    q_[i] = std::clamp(q_[i], low, high);
    hold_[i] = q_[i] - offset_[i];
    speed_[i] = 0;
    limit_hit_ = mode_ == Mode::speed || mode_ == Mode::tool_speed || mode_ == Mode::tool_servo;
  }
}

}  // namespace tandem::ur3e
