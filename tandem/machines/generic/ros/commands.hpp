// SPDX-License-Identifier: Apache-2.0
// How ROS users command outputs: a topic and a parameter for each, a service for bits, joints by name. Numbers are SI.
// What is refused is logged with the reason and kept for status and /diagnostics.
#pragma once

#include <string>
#include <vector>

#include "tandem/machines/generic/commands.hpp"
#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"

namespace tandem::generic {

class RosCommands {
 public:
  RosCommands(ros2::FullNode& node, const Description& description, Commands& commands, const machines::Lines& lines);

  const machines::Refusals& refusals() const { return refusals_; }

 private:
  struct JointOutput {
    std::string joint;
    const OutputInfo* output;
  };

  void hear(const OutputInfo& output);
  void declare(const OutputInfo& output);
  void offer_service(const OutputInfo& output);
  Result<void> take(const ros2::sensor_msgs::JointState& message, Instant received);

  ros2::FullNode& node_;
  Commands& commands_;
  std::vector<JointOutput> joints_;
  machines::Refusals refusals_;
  std::vector<ros2::Service<ros2::std_srvs::SetBool>> services_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::generic
