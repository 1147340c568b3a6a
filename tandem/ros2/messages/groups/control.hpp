// SPDX-License-Identifier: Apache-2.0
// What moves joints.
#pragma once

#include "tandem/ros2/messages/control_msgs.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"

namespace tandem::ros2 {

struct ControlTypes {
  using Messages = control_msgs::Messages;
  using Services = control_msgs::Services;
  using Actions = control_msgs::Actions;
};

}  // namespace tandem::ros2
