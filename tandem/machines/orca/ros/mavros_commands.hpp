// SPDX-License-Identifier: Apache-2.0
// What mavros' users ask for beyond modes, missions and goals: arming, commands, parameters, sticks and raw targets,
// under mavros' names.
#pragma once

#include <optional>

#include "tandem/machines/orca/ros/commands.hpp"
#include "tandem/machines/orca/ros/mavros_inputs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"

namespace tandem::orca {

class MavrosCommands {
 public:
  MavrosCommands(ros2::FullNode& node, const StickScale& scale, Duration twist_timeout, Commands& commands,
                 Questions& questions, Refusals& refusals);

 private:
  void hear_inputs(Duration twist_timeout);
  void offer_commands();
  void offer_parameters();
  // Through the arm latch, as everybody: its own service is called, and then the vehicle is watched.
  void arm(Questions::Answered answered);
  void refuse(std::string_view what, const std::string& why);
  void ask_parameter(ParameterCommand order, Questions::Answered answered);

  ros2::FullNode& node_;
  const StickScale scale_;
  Commands& commands_;
  Questions& questions_;
  Refusals& refusals_;
  ros2::Client<ros2::std_srvs::Trigger> latch_;
  std::optional<ros2::Service<ros2::mavros_msgs::CommandBool>> arming_;
  std::optional<ros2::Service<ros2::mavros_msgs::CommandLong>> command_;
  std::optional<ros2::Service<ros2::mavros_msgs::ParamGet>> parameter_get_;
  std::optional<ros2::Service<ros2::mavros_msgs::ParamSetV2>> parameter_put_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::orca
