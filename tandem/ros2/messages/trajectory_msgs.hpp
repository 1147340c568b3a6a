// SPDX-License-Identifier: Apache-2.0
// trajectory_msgs: positions of joints over time.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::trajectory_msgs {

struct JointTrajectoryPoint {
  static constexpr std::string_view type_name = "trajectory_msgs/msg/JointTrajectoryPoint";
  TANDEM_FIELDS(JointTrajectoryPoint, positions, velocities, accelerations, effort, time_from_start);
  std::vector<double> positions;
  std::vector<double> velocities;
  std::vector<double> accelerations;
  std::vector<double> effort;
  builtin_interfaces::Duration time_from_start;
};

struct JointTrajectory {
  static constexpr std::string_view type_name = "trajectory_msgs/msg/JointTrajectory";
  TANDEM_FIELDS(JointTrajectory, header, joint_names, points);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
};

struct MultiDOFJointTrajectoryPoint {
  static constexpr std::string_view type_name = "trajectory_msgs/msg/MultiDOFJointTrajectoryPoint";
  TANDEM_FIELDS(MultiDOFJointTrajectoryPoint, transforms, velocities, accelerations, time_from_start);
  std::vector<geometry_msgs::Transform> transforms;
  std::vector<geometry_msgs::Twist> velocities;
  std::vector<geometry_msgs::Twist> accelerations;
  builtin_interfaces::Duration time_from_start;
};

struct MultiDOFJointTrajectory {
  static constexpr std::string_view type_name = "trajectory_msgs/msg/MultiDOFJointTrajectory";
  TANDEM_FIELDS(MultiDOFJointTrajectory, header, joint_names, points);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<MultiDOFJointTrajectoryPoint> points;
};

using Messages = Types<JointTrajectory, JointTrajectoryPoint, MultiDOFJointTrajectory, MultiDOFJointTrajectoryPoint>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::trajectory_msgs
