// SPDX-License-Identifier: Apache-2.0
// The truck's state as ROS messages, and what ROS users want of it as commands. Pure: values in, fields filled. Vectors
// and names keep their room, so that a warm cycle allocates nothing.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tandem/base/result.hpp"
#include "tandem/machines/raptorlift/commands.hpp"
#include "tandem/machines/raptorlift/state.hpp"
#include "tandem/ros2/messages/control_msgs.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"

namespace tandem::raptorlift {

using Stamp = ros2::builtin_interfaces::Time;

// What the joints of driven wheels speak on ROS.
struct JointUnits {
  double per_radian = 1;  // 1: rad and rad/s; the wheel radius: m and m/s, as the original has it
};

// Four joints: position, velocity, and the commanded torque as effort.
void fill(ros2::sensor_msgs::JointState& message, const State& state, const Stamp& stamp, const JointUnits& units);
// Names of frames are those that the message has already.
void fill(ros2::nav_msgs::Odometry& message, const State& state, const Stamp& stamp);
void fill(ros2::geometry_msgs::TransformStamped& message, const State& state, const Stamp& stamp);
// Right before left, as that controller has them.
void fill(ros2::control_msgs::SteeringControllerStatus& message, const State& state, const Stamp& stamp);

// The truck's links, as robot_state_publisher would place them from the URDF and the joints: base_link over
// base_footprint, which does not move, and the four wheels in base_link.
struct Links {
  ros2::geometry_msgs::TransformStamped base;
  std::array<ros2::geometry_msgs::TransformStamped, axis_count> wheels;
};
Links links_at_rest(const Description& description, std::string_view prefix);
void fill(Links& links, const State& state, const Stamp& stamp);

// Wheels for all four joints, in any order, from full arrays or from those of ros2_control's topic-based system, where
// `position` holds the steering joints alone and `velocity` the driven ones. The error says what is wrong with it.
Result<kinematics::ackermann::Wheels> wheels_from(const ros2::sensor_msgs::JointState& message,
                                                  const Description& description, const JointUnits& units,
                                                  std::string_view prefix = {});
// The error names the component.
Result<kinematics::ackermann::Twist> twist_from(const ros2::geometry_msgs::Twist& message);
Result<kinematics::ackermann::PlanarPose> pose_from(const ros2::control_msgs::SetOdometry::Request& request);

ros2::diagnostic_msgs::DiagnosticStatus diagnosis(const State& state, const std::string& part,
                                                  const std::string& hardware);

}  // namespace tandem::raptorlift
