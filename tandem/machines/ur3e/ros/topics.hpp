// SPDX-License-Identifier: Apache-2.0
// What the UR3e is to ROS users: its node, topics, actions and services, under the names of ur_robot_driver.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/ur3e/goals.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"

namespace tandem::ur3e {

class RosCommands;

class Topics {
 public:
  struct Setup {
    std::string node, name_space;
    std::string hardware;  // for /diagnostics: the machine's name and its device
    std::string prefix;    // before the names of joints and frames
    bool has_hand = true;
    Duration stale_after = 100ms;
  };

  // `state` is what /diagnostics and goals look at, from their own threads; `commands` is where goals go.
  Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& state, Commands& commands);
  ~Topics();

  ros2::FullNode& node() { return node_; }
  RosCommands& commands() { return *commands_; }
  // One sample, received at that time of the machine's clock.
  void publish(const State& state, Instant received);

 private:
  void publish_slow(const State& state, Instant now);
  void publish_modes(const State& state);

  ros2::FullNode node_;
  Clock& clock_;
  const std::string prefix_;
  ros2::Publisher<ros2::sensor_msgs::JointState> joints_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_;
  ros2::Publisher<ros2::geometry_msgs::WrenchStamped> wrench_publisher_, filtered_publisher_;
  ros2::Publisher<ros2::std_msgs::Float64> scaling_publisher_;
  std::array<ros2::Publisher<ros2::control_msgs::JointTrajectoryControllerState>, 2> controller_publishers_;
  ros2::Publisher<ros2::ur_msgs::IOStates> io_publisher_;
  ros2::Publisher<ros2::ur_msgs::ToolDataMsg> tool_publisher_;
  ros2::Publisher<ros2::ur_dashboard_msgs::RobotMode> robot_mode_publisher_;
  ros2::Publisher<ros2::ur_dashboard_msgs::SafetyMode> safety_mode_publisher_;
  ros2::Publisher<ros2::std_msgs::Bool> program_publisher_;
  ros2::Publisher<ros2::std_msgs::String> description_publisher_;
  ros2::TfBroadcaster tf_;
  ros2::StaticTfBroadcaster static_tf_;
  // Filled in place: a warm cycle allocates nothing.
  ros2::sensor_msgs::JointState joints_;
  ros2::geometry_msgs::PoseStamped pose_;
  ros2::geometry_msgs::WrenchStamped wrench_, filtered_;
  ros2::control_msgs::JointTrajectoryControllerState controller_;
  ros2::ur_msgs::IOStates io_;
  ros2::ur_msgs::ToolDataMsg tool_;
  MovingFrames frames_;
  Instant next_controller_{}, next_slow_{}, wrench_at_{};
  std::optional<ros2::ur_dashboard_msgs::RobotMode> robot_mode_;
  std::optional<ros2::ur_dashboard_msgs::SafetyMode> safety_mode_;
  std::optional<bool> program_;
  std::unique_ptr<RosCommands> commands_;
  ros2::Diagnostics diagnostics_;
};

}  // namespace tandem::ur3e
