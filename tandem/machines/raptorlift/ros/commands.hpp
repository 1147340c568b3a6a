// SPDX-License-Identifier: Apache-2.0
// Topics and services through which ROS users command the truck. What cannot be carried out is refused, and why is
// logged and kept for /diagnostics.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/machines/raptorlift/commands.hpp"
#include "tandem/machines/raptorlift/ros/messages.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"

namespace tandem::raptorlift {

struct RosCommandsSetup {
  Description description;
  Commander commander = Commander::internal;
  JointUnits units;
  std::string prefix;  // before the names of joints
  bool cmd_vel_stamped = false;
  bool fleet = false;  // orders may wait for a confirmation
  Duration reference_timeout = 500ms;
  Duration command_timeout = 200ms;
  Duration log_interval = 2s;
};

class RosCommands {
 public:
  RosCommands(ros2::FullNode& node, const RosCommandsSetup& setup, Commands& commands, const machines::Lines& lines);

  const machines::Refusals& refusals() const { return refusals_; }

 private:
  template <ros2::Message M>
  void hear(VelocityInput input, const std::string& topic);
  Result<void> take(const ros2::sensor_msgs::JointState& message, Instant received);

  const RosCommandsSetup setup_;
  Commands& commands_;
  machines::Refusals refusals_;
  std::mutex mutex_;
  UtcTime last_stamp_{};  // of joint commands; guarded
  std::optional<ros2::Service<ros2::control_msgs::SetOdometry>> set_odometry_;
  std::optional<ros2::Service<ros2::std_srvs::Trigger>> confirm_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::raptorlift
