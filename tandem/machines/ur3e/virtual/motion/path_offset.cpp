// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/motion/path_offset.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/track.hpp"

namespace tandem::ur3e {
namespace {

// Of the offset alone: a jump is followed as fast as these allow.
constexpr double most_joint_speed = 1.0;          // rad/s
constexpr double most_joint_acceleration = 10.0;  // rad/s^2
constexpr double least_travel = 1e-4;             // m/s that have a direction

}  // namespace

void PathOffset::disable() {
  enabled_ = false;
  clear();
}

void PathOffset::clear() {
  wanted_.setZero();
  filtered_.setZero();
  speed_.setZero();
}

void PathOffset::offset(const Twist6& offset, Frame frame) {
  const auto distance = offset.head<3>().array().min(most_distance_).max(-most_distance_);
  const auto angle = offset.tail<3>().array().min(most_angle_).max(-most_angle_);
  if (frame == Frame::world) {
    wanted_ = offset;  // the pose of the base, which may be anywhere; what it does to the tool is limited
  } else {
    wanted_ << distance.matrix(), angle.matrix();
  }
  if (frame != frame_) filtered_.setZero();
  frame_ = frame;
}

Twist6 PathOffset::applied(Frame frame, const Pose& X_base_tool) const {
  if (frame == frame_ || frame_ == Frame::world || frame == Frame::world) return filtered_;
  const auto axes = [&](Frame of) -> Eigen::Matrix3d {
    if (of == Frame::base) return Eigen::Matrix3d::Identity();
    if (of == Frame::tool) return X_base_tool.linear();
    return along_;
  };
  const Eigen::Matrix3d R = axes(frame).transpose() * axes(frame_);
  Twist6 out;
  out << R * filtered_.head<3>(), R * filtered_.tail<3>();
  return out;
}

// A pose that differs from the tool's by no more than the limits, per base axis.
Pose PathOffset::limited(const Pose& X_base_tool, const Pose& wanted) const {
  const Eigen::Vector3d shift = wanted.translation() - X_base_tool.translation();
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(wanted.linear() * X_base_tool.linear().transpose()));
  const Eigen::Vector3d turned = (turn.angle() * turn.axis()).cwiseMin(most_angle_).cwiseMax(-most_angle_);
  Pose out = X_base_tool;
  out.translation() += shift.cwiseMin(most_distance_).cwiseMax(-most_distance_);
  if (const double angle = turned.norm(); angle > 0)
    out.linear() = Eigen::AngleAxisd(angle, turned / angle) * X_base_tool.linear();
  return out;
}

Pose PathOffset::target(const Pose& X_base_tool, const Eigen::Vector3d& travel) {
  const Pose offset = kinematics::ur::pose_from_vector(filtered_);
  if (frame_ == Frame::world) return limited(X_base_tool, offset.inverse() * X_base_tool);
  if (frame_ == Frame::tool) return X_base_tool * offset;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (frame_ == Frame::motion) {
    const Eigen::Vector3d side = travel.cross(X_base_tool.linear().col(2));
    if (travel.norm() > least_travel && side.norm() > least_travel * 1e-3) {
      along_.col(0) = travel.normalized();
      along_.col(1) = side.normalized();
      along_.col(2) = along_.col(0).cross(along_.col(1));
    }
    R = along_;
  }
  Pose out = X_base_tool;
  out.translation() += R * offset.translation();
  out.linear() = R * offset.linear() * R.transpose() * X_base_tool.linear();
  return out;
}

Joints PathOffset::step(double dt, const Joints& planned, const Joints& q, const Joints& velocity,
                        const Pose& X_flange_tcp) {
  filtered_ += alpha_ * (wanted_ - filtered_);
  const Eigen::Vector3d travel =
      (kinematics::ur::jacobian(arm_model, planned, X_flange_tcp.translation()) * velocity).head<3>();
  const Pose wanted = target(kinematics::ur::forward(arm_model, planned) * X_flange_tcp, travel);
  const Pose now = kinematics::ur::forward(arm_model, q) * X_flange_tcp;
  Twist6 error;
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(wanted.linear() * now.linear().transpose()));
  error << wanted.translation() - now.translation(), turn.angle() * turn.axis();
  // As fast as can still be braked to rest at the target.
  const Joints left = kinematics::trajectory::joint_speeds({&arm_model, X_flange_tcp}, q, error);
  const double largest = left.cwiseAbs().maxCoeff();
  if (largest < 1e-12) return speed_ = Joints::Zero();
  const double pace = std::min({largest / dt, most_joint_speed, std::sqrt(1.5 * most_joint_acceleration * largest)});
  Joints change = left * (pace / largest) - speed_;
  const double most_change = most_joint_acceleration * dt;
  if (const double size = change.cwiseAbs().maxCoeff(); size > most_change) change *= most_change / size;
  return speed_ += change;
}

Joints PathOffset::brake(double dt) {
  const double fastest = speed_.cwiseAbs().maxCoeff();
  if (fastest > 0) speed_ *= std::max(0.0, 1 - most_joint_acceleration * dt / fastest);
  return speed_;
}

}  // namespace tandem::ur3e
