// SPDX-License-Identifier: Apache-2.0
// What the cable robot is to ROS users: its node and topics, under the names of the original or of the cdpr package.
#pragma once

#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/cable_robot/description.hpp"
#include "tandem/machines/cable_robot/ros/commands.hpp"
#include "tandem/machines/cable_robot/ros/markers.hpp"
#include "tandem/machines/cable_robot/scene.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"

namespace tandem::cable_robot {

class Topics {
 public:
  struct Setup {
    std::string node, name_space;
    std::string hardware;  // for /diagnostics: the machine's name and its device
    std::string platform_frame;
    bool tf = true;
    RosCommandsSetup commands;
    Duration publish_period = 10ms, markers_period = 50ms;
    Duration stale_after = 100ms;
  };
  // Throws std::invalid_argument for invalid names.
  static Setup setup_from(const machines::Setup& setup, const Times& times, Commander commander);

  // `state` is what /diagnostics looks at, from its own thread; `commands` is where commands go.
  Topics(ros2::Context& context, const Setup& setup, const cables::Robot& robot, Clock& clock,
         const Latest<State>& state, Commands& commands, const machines::Lines& lines);

  ros2::FullNode& node() { return node_; }
  const RosCommands& commands() const { return commands_; }
  // One sample, received at that time of the machine's clock; told as often as the setup says.
  void publish(const State& state, Instant received);

 private:
  ros2::FullNode node_;
  Clock& clock_;
  const Duration publish_period_, markers_period_;
  ros2::Publisher<ros2::sensor_msgs::JointState> states_publisher_;
  ros2::Publisher<ros2::std_msgs::Float64MultiArray> tensions_publisher_;
  ros2::Publisher<ros2::visualization_msgs::MarkerArray> markers_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_, set_point_publisher_;
  std::optional<ros2::TfBroadcaster> tf_;
  ros2::sensor_msgs::JointState states_;
  ros2::std_msgs::Float64MultiArray tensions_;
  ros2::geometry_msgs::PoseStamped pose_, set_point_;
  ros2::geometry_msgs::TransformStamped transform_;
  Markers markers_;
  Instant next_publish_{}, next_markers_{};
  RosCommands commands_;
  ros2::Diagnostics diagnostics_;  // last: it asks the others
};

// Where a person's sliders go on that node.
PoseTopic pose_topic_from(const Topics::Setup& setup);

}  // namespace tandem::cable_robot
