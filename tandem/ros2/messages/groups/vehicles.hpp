// SPDX-License-Identifier: Apache-2.0
// What vehicles add: autopilots behind MAVROS, underwater localization.
#pragma once

#include "tandem/ros2/messages/mavros_msgs.hpp"
#include "tandem/ros2/messages/mavros_msgs_services.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/messages/orca_msgs.hpp"

namespace tandem::ros2 {

struct VehicleTypes {
  using Messages = JoinedTypes<mavros_msgs::Messages, orb_slam3_msgs::Messages, orca_msgs::Messages>;
  using Services = mavros_msgs::Services;
  using Actions = Types<>;
};

}  // namespace tandem::ros2
