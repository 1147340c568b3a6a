// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ur3e {
namespace {

using ros2::geometry_msgs::TransformStamped;
using ros2::trajectory_msgs::JointTrajectoryPoint;

constexpr std::size_t tcp_place = 6, fingers_place = 7;
constexpr double wrench_time = 0.05;  // s: what is slower than 3 Hz passes

std::string prefixed(std::string_view prefix, std::string_view name) { return fmt::format("{}{}", prefix, name); }

void copy(const Six& from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

Pose tool_pose(const State& state) { return TCP6D::from_metres_radians(state.controller.actual_tcp_pose).pose(); }

void fill_digital(std::vector<ros2::ur_msgs::Digital>& pins, std::uint64_t bits) {
  pins.resize(18);
  for (std::size_t i = 0; i < pins.size(); ++i) {
    pins[i].pin = static_cast<std::uint8_t>(i);
    pins[i].state = (bits >> i & 1) != 0;
  }
}

void fill_analog(std::vector<ros2::ur_msgs::Analog>& pins, const std::array<double, 2>& values, std::uint32_t types) {
  pins.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    pins[i].pin = static_cast<std::uint8_t>(i);
    pins[i].domain = static_cast<std::uint8_t>(types >> i & 1);
    pins[i].state = static_cast<float>(values[i]);
  }
}

}  // namespace

const char* name(Activity activity) {
  switch (activity) {
    case Activity::idle:
      return "idle";
    case Activity::trajectory:
      return "trajectory";
    case Activity::task:
      return "task";
    case Activity::stopping:
      return "stopping";
  }
  return "?";
}

std::vector<std::string> joint_name_list(std::string_view prefix) {
  std::vector<std::string> names;
  for (const std::string_view name : joint_names) names.push_back(prefixed(prefix, name));
  return names;
}

void fill(ros2::sensor_msgs::JointState& message, const State& state, const Stamp& stamp, std::string_view prefix) {
  message.header.stamp = stamp;
  const std::size_t count = state.hand.known ? 8 : 6;
  if (message.name.size() != count) {
    message.name = joint_name_list(prefix);
    if (state.hand.known)
      for (const std::string_view finger : hand::finger_joints) message.name.push_back(prefixed(prefix, finger));
    message.position.resize(count);
    message.velocity.resize(count);
    message.effort.resize(count);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    message.position[i] = state.controller.actual_q[i];
    message.velocity[i] = state.controller.actual_qd[i];
    message.effort[i] = state.controller.actual_current[i] * torque_per_ampere[i];
  }
  for (std::size_t i = 6; i < count; ++i) {
    message.position[i] = state.hand.finger;
    message.velocity[i] = std::numeric_limits<double>::quiet_NaN();  // the gripper does not report it
    message.effort[i] = state.hand.effort;
  }
}

void fill(ros2::geometry_msgs::PoseStamped& message, const State& state, const Stamp& stamp, std::string_view prefix) {
  message.header.stamp = stamp;
  if (message.header.frame_id.empty()) message.header.frame_id = prefixed(prefix, frames::base);
  message.pose = ros2::message_from(tool_pose(state));
}

void fill(ros2::geometry_msgs::WrenchStamped& message, const State& state, const Stamp& stamp,
          std::string_view prefix) {
  message.header.stamp = stamp;
  if (message.header.frame_id.empty()) message.header.frame_id = prefixed(prefix, tcp_frame);
  const Six& w = state.controller.actual_tcp_force;
  const Eigen::Matrix3d R_tool_base = tool_pose(state).linear().transpose();
  message.wrench.force = ros2::vector3_from(R_tool_base * Eigen::Vector3d(w[0], w[1], w[2]));
  message.wrench.torque = ros2::vector3_from(R_tool_base * Eigen::Vector3d(w[3], w[4], w[5]));
}

void smooth(ros2::geometry_msgs::WrenchStamped& filtered, const ros2::geometry_msgs::WrenchStamped& wrench,
            double step) {
  const bool first = filtered.header.frame_id.empty();
  const double part = first ? 1 : step / (wrench_time + step);
  const auto follow = [part](ros2::geometry_msgs::Vector3& slow, const ros2::geometry_msgs::Vector3& now) {
    slow.x += part * (now.x - slow.x);
    slow.y += part * (now.y - slow.y);
    slow.z += part * (now.z - slow.z);
  };
  filtered.header = wrench.header;
  follow(filtered.wrench.force, wrench.wrench.force);
  follow(filtered.wrench.torque, wrench.wrench.torque);
}

void fill_progress(JointTrajectoryPoint& desired, JointTrajectoryPoint& actual, JointTrajectoryPoint& error,
                   const State& state) {
  copy(state.reference, desired.positions);
  copy(state.reference_speed, desired.velocities);
  copy(state.controller.actual_q, actual.positions);
  copy(state.controller.actual_qd, actual.velocities);
  error.positions.resize(6);
  error.velocities.resize(6);
  for (std::size_t i = 0; i < 6; ++i) {
    error.positions[i] = desired.positions[i] - actual.positions[i];
    error.velocities[i] = desired.velocities[i] - actual.velocities[i];
  }
  desired.time_from_start = ros2::message_from(duration_of(state.progress));
  actual.time_from_start = desired.time_from_start;
  error.time_from_start = desired.time_from_start;
}

void fill(ros2::control_msgs::JointTrajectoryControllerState& message, const State& state, const Stamp& stamp,
          std::string_view prefix) {
  message.header.stamp = stamp;
  if (message.joint_names.empty()) message.joint_names = joint_name_list(prefix);
  fill_progress(message.reference, message.feedback, message.error, state);
  copy(state.reference, message.output.positions);
  copy(state.reference_speed, message.output.velocities);
  message.speed_scaling_factor = state.controller.speed_scaling;
}

void fill(ros2::ur_msgs::IOStates& message, const State& state) {
  fill_digital(message.digital_in_states, state.controller.actual_digital_input_bits);
  fill_digital(message.digital_out_states, state.controller.actual_digital_output_bits);
  fill_analog(message.analog_in_states, state.controller.standard_analog_input, state.controller.analog_io_types);
  fill_analog(message.analog_out_states, state.controller.standard_analog_output,
              state.controller.analog_io_types >> 2);
}

void fill(ros2::ur_msgs::ToolDataMsg& message, const State& state) {
  const ur::ControllerState& c = state.controller;
  message.analog_input_range2 = static_cast<std::int8_t>(c.tool_analog_input_types & 1);
  message.analog_input_range3 = static_cast<std::int8_t>(c.tool_analog_input_types >> 1 & 1);
  message.analog_input2 = c.tool_analog_input[0];
  message.analog_input3 = c.tool_analog_input[1];
  message.tool_output_voltage = static_cast<std::uint8_t>(std::clamp(c.tool_output_voltage, 0, 255));
  message.tool_current = static_cast<float>(c.tool_output_current);
  message.tool_temperature = static_cast<float>(c.tool_temperature);
  message.tool_mode = static_cast<std::uint8_t>(std::min<std::uint32_t>(c.tool_mode, 255));
}

ros2::ur_dashboard_msgs::RobotMode robot_mode_from(const State& state) {
  ros2::ur_dashboard_msgs::RobotMode message;
  message.mode = static_cast<std::int8_t>(state.controller.robot_mode);
  return message;
}

ros2::ur_dashboard_msgs::SafetyMode safety_mode_from(const State& state) {
  ros2::ur_dashboard_msgs::SafetyMode message;
  message.mode = static_cast<std::uint8_t>(state.controller.safety_mode);
  return message;
}

bool program_runs(const State& state) { return state.controller.runtime_state == ur::RuntimeState::playing; }

MovingFrames moving_frames(std::string_view prefix) {
  MovingFrames all;
  for (std::size_t i = 0; i < 6; ++i) {
    all[i].header.frame_id = prefixed(prefix, i == 0 ? frames::base_link_inertia : link_names[i - 1]);
    all[i].child_frame_id = prefixed(prefix, link_names[i]);
  }
  all[tcp_place].header.frame_id = prefixed(prefix, frames::base);
  all[tcp_place].child_frame_id = prefixed(prefix, tcp_frame);
  for (std::size_t side = 0; side < 2; ++side) {
    all[fingers_place + side].header.frame_id = prefixed(prefix, hand::link);
    all[fingers_place + side].child_frame_id = prefixed(prefix, hand::finger_links[side]);
  }
  return all;
}

std::size_t fill(MovingFrames& all, const State& state, const Stamp& stamp) {
  static const std::array<Pose, 6> at_zero = [] {
    std::array<Pose, 6> poses;
    for (std::size_t i = 0; i < 6; ++i) poses[i] = link_frame(i);
    return poses;
  }();
  for (TransformStamped& frame : all) frame.header.stamp = stamp;
  for (std::size_t i = 0; i < 6; ++i) {
    const Eigen::AngleAxisd turn(state.controller.actual_q[i], Eigen::Vector3d::UnitZ());
    all[i].transform = ros2::transform_from(at_zero[i] * turn);
  }
  all[tcp_place].transform = ros2::transform_from(tool_pose(state));
  if (!state.hand.known) return fingers_place;
  for (std::size_t side = 0; side < 2; ++side) {
    const double x = side == 0 ? state.hand.finger : -state.hand.finger;
    all[fingers_place + side].transform = ros2::transform_from(Pose(Eigen::Translation3d(x, 0, 0)));
  }
  return all.size();
}

std::vector<TransformStamped> fixed_frames(UtcTime stamp, std::string_view prefix) {
  constexpr double pi = std::numbers::pi;
  const Pose half_turn = turned(0, 0, pi), X_wrist_flange = turned(0, -pi / 2, -pi / 2);
  const auto frame = [&](std::string_view parent, std::string_view child, const Pose& pose) {
    return ros2::transform_stamped(stamp, prefixed(prefix, parent), prefixed(prefix, child), pose);
  };
  return {
      frame(frames::base_link, frames::base, half_turn),
      frame(frames::base_link, frames::base_link_inertia, half_turn),
      frame(link_names[5], frames::flange, X_wrist_flange),
      frame(frames::flange, frames::tool0, X_wrist_flange.inverse()),
      frame(frames::tool0, hand::link, Pose::Identity()),
  };
}

}  // namespace tandem::ur3e
