// SPDX-License-Identifier: Apache-2.0
// A described robot on ROS: ~/joint_states, robot_description, and its links on tf.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/posture.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"

namespace tandem::generic {

class JointTopics {
 public:
  // `prefix` before the names of links on tf; joints keep the names of the URDF.
  JointTopics(ros2::FullNode& node, const Posture& posture, const std::string& prefix);

  // Joints and links whose positions are known. A warm call allocates nothing.
  void publish(const Posture& posture, UtcTime stamp);

 private:
  ros2::Publisher<ros2::sensor_msgs::JointState> joints_publisher_;
  ros2::Publisher<ros2::std_msgs::String> description_publisher_;
  ros2::TfBroadcaster tf_;
  ros2::StaticTfBroadcaster static_tf_;
  ros2::sensor_msgs::JointState joints_;
  std::vector<std::string> names_;                                 // of the joints of the URDF
  std::vector<ros2::geometry_msgs::TransformStamped> transforms_;  // of the joints that move
  std::vector<std::size_t> moving_;                                // those joints
};

}  // namespace tandem::generic
