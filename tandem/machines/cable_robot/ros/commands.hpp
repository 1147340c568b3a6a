// SPDX-License-Identifier: Apache-2.0
// Topics through which ROS users command the robot. What cannot be carried out is refused, and why is logged and
// kept for /diagnostics.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/cable_robot/commands.hpp"
#include "tandem/machines/cable_robot/ros/messages.hpp"
#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::cable_robot {

enum class Profile : std::uint8_t { original, cdpr };
// In the node's namespace: where the platform shall be.
const char* pose_topic(Profile profile);

struct RosCommandsSetup {
  Profile profile = Profile::original;
  Commander commander = Commander::pose;
  bool stamped = true;  // desired_pose is a PoseStamped
  std::string frame = "world";
  Duration oldest_stamp = 500ms;
  Duration command_timeout = 200ms;
  Duration log_interval = 2s;
};

class RosCommands {
 public:
  RosCommands(ros2::FullNode& node, const RosCommandsSetup& setup, const cables::Robot& robot, Commands& commands,
              const machines::Lines& lines);

  // From any thread.
  const machines::Refusals& refusals() const { return refusals_; }
  std::uint64_t ignored() const { return inbox_.ignored(); }
  // The lengths of a desired pose that no message brought: the task's. From the machine's thread.
  void publish_followed(const PoseNumbers& pose);

 private:
  template <ros2::Message M>
  void hear_desired_pose();
  void hear_cdpr();
  template <ros2::Message M>
  Result<PoseNumbers> checked(const M& message) const;
  void answer(const PoseNumbers& pose);
  void publish_lengths(const PoseNumbers& pose, ros2::std_msgs::Float64MultiArray& message) const;
  std::string closed_to(Commander commander) const;
  void hear_motion(const std::string& topic, Mailbox<MotionCommand>& into);

  ros2::FullNode& node_;
  const RosCommandsSetup setup_;
  const cables::Robot robot_;
  Commands& commands_;
  std::optional<ros2::Publisher<ros2::std_msgs::Float64MultiArray>> lengths_publisher_;
  ros2::std_msgs::Float64MultiArray answered_lengths_;  // of the answering callback
  ros2::std_msgs::Float64MultiArray followed_lengths_;  // of the machine's thread
  machines::Refusals refusals_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::cable_robot
