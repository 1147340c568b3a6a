// SPDX-License-Identifier: Apache-2.0
// The robot's state as ROS messages, and what ROS users want of it as numbers. Pure: values in, fields filled. Vectors
// and names keep their room, so that a warm cycle allocates nothing.
#pragma once

#include <string>

#include "tandem/base/result.hpp"
#include "tandem/machines/cable_robot/state.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::cable_robot {

using Stamp = ros2::builtin_interfaces::Time;

// cable0, cable1, ...: unwound length as position, its speed, and the tension as effort.
void fill(ros2::sensor_msgs::JointState& message, const State& state, const Stamp& stamp);
void fill(ros2::std_msgs::Float64MultiArray& message, const CableNumbers& values, int count);
void fill(ros2::geometry_msgs::Pose& message, const PoseNumbers& pose);
// Names of frames are those that the messages have already.
void fill(ros2::geometry_msgs::PoseStamped& message, const PoseNumbers& pose, const Stamp& stamp);
void fill(ros2::geometry_msgs::TransformStamped& message, const PoseNumbers& pose, const Stamp& stamp);

// Fault::invalid, naming the field, for numbers that are not finite and quaternions that are not of unit length.
Result<PoseNumbers> pose_numbers_from(const ros2::geometry_msgs::Pose& message);
// "" for the frame itself and for none; otherwise what was expected and seen.
std::string frame_trouble(const std::string& seen, const std::string& expected);
// A tension for each cable, as effort; names in any order, or none at all.
Result<CableNumbers> tensions_from(const ros2::sensor_msgs::JointState& message, int cables);
Result<std::array<double, 6>> six_from(const ros2::geometry_msgs::Twist& message);

ros2::diagnostic_msgs::DiagnosticStatus diagnosis(const State& state, const std::string& part,
                                                  const std::string& hardware);

}  // namespace tandem::cable_robot
