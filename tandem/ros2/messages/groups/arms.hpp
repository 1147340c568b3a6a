// SPDX-License-Identifier: Apache-2.0
// What arms of Universal Robots add.
#pragma once

#include "tandem/ros2/messages/ur_dashboard_msgs.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs_services.hpp"
#include "tandem/ros2/messages/ur_msgs.hpp"

namespace tandem::ros2 {

struct ArmTypes {
  using Messages = JoinedTypes<ur_dashboard_msgs::Messages, ur_msgs::Messages>;
  using Services = JoinedTypes<ur_dashboard_msgs::Services, ur_msgs::Services>;
  using Actions = ur_dashboard_msgs::Actions;
};

}  // namespace tandem::ros2
