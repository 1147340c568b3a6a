// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/arm_ros_joints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr double shortest_step = 1e-4;    // s, below which a difference says nothing of a speed
constexpr double longest_stamp_step = 1;  // s, above which a stamp is one of another clock

// NaN where the message does not report it.
double value_of(const ros2::sensor_msgs::JointState& message, const std::vector<double>& values,
                std::string_view joint) {
  const auto found = std::ranges::find(message.name, joint);
  const auto place = static_cast<std::size_t>(found - message.name.begin());
  return found != message.name.end() && place < values.size() ? values[place]
                                                              : std::numeric_limits<double>::quiet_NaN();
}

double stamp_of(const ros2::sensor_msgs::JointState& message) {
  return message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec;
}

// s between two samples: by their stamps, as messages may arrive in bursts, else by when they were received.
double step_between(const ArmState& before, double stamp, Instant now) {
  const double stamped = stamp - before.stamp;
  return stamped > shortest_step && stamped < longest_stamp_step ? stamped : seconds(now - before.received);
}

void fill_poses(ArmState& state) {
  const Joint6D joints = Joint6D::from_radians(state.q);
  const Pose X_flange_tcp = TCP6D::from_metres_radians(state.tcp_offset).pose();
  state.tcp_pose = TCP6D::from(kinematics::ur::forward(arm_model, joints.vector()) * X_flange_tcp).list();
  const kinematics::ur::Vector6 twist =
      kinematics::ur::jacobian(arm_model, joints.vector(), X_flange_tcp.translation()) *
      Joint6D::from_radians(state.qd).vector();
  for (std::size_t i = 0; i < 6; ++i) state.tcp_speed[i] = twist[static_cast<Eigen::Index>(i)];
}

}  // namespace

bool RosJoints::fresh(Instant now) const {
  const auto newest = state_.get();
  return newest && now - newest->received <= stale_after_;
}

void RosJoints::take(const ros2::sensor_msgs::JointState& message, Instant now) {
  take_fingers(message, now);
  const auto before = state_.get();
  ArmState state;
  for (std::size_t i = 0; i < 6; ++i) {
    state.q[i] = value_of(message, message.position, joint_names[i]);
    if (!std::isfinite(state.q[i])) return;
    state.qd[i] = value_of(message, message.velocity, joint_names[i]);
  }
  state.stamp = stamp_of(message);
  const double step = before ? step_between(*before, state.stamp, now) : 0;
  for (std::size_t i = 0; i < 6; ++i)
    if (!std::isfinite(state.qd[i])) state.qd[i] = step > shortest_step ? (state.q[i] - before->q[i]) / step : 0;
  if (before && now - before->received > stale_after_) gap_.store(true, std::memory_order_release);
  state.received = now;
  state.tcp_offset = offset_.get().value_or(Six{});
  state.tcp_force.fill(std::numeric_limits<double>::quiet_NaN());
  state.robot_mode = ur::RobotMode::running;
  state.safety_mode = ur::SafetyMode::normal;
  fill_poses(state);
  state_.put(state);
}

void RosJoints::take_fingers(const ros2::sensor_msgs::JointState& message, Instant now) {
  FingerState fingers{now, 0, 0};
  int seen = 0;
  const auto before = fingers_.get();
  for (const std::string_view joint : hand::finger_joints) {
    const double position = value_of(message, message.position, joint);
    if (!std::isfinite(position)) continue;
    fingers.position += position;
    ++seen;
  }
  if (seen == 0) return;
  fingers.position /= seen;
  const double step = before ? seconds(now - before->received) : 0;
  if (step > shortest_step) fingers.speed = (fingers.position - before->position) / step;
  fingers_.put(fingers);
}

}  // namespace tandem::ur3e
