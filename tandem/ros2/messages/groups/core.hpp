// SPDX-License-Identifier: Apache-2.0
// What every ROS node speaks: values, time, parameters, services, actions, its graph.
#pragma once

#include "tandem/ros2/messages/action_msgs.hpp"
#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/lifecycle_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/messages/rosgraph_msgs.hpp"
#include "tandem/ros2/messages/service_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/ros2/messages/type_description_interfaces.hpp"
#include "tandem/ros2/messages/unique_identifier_msgs.hpp"

namespace tandem::ros2 {

struct CoreTypes {
  using Messages =
      JoinedTypes<action_msgs::Messages, builtin_interfaces::Messages, diagnostic_msgs::Messages,
                  lifecycle_msgs::Messages, rcl_interfaces::Messages, rmw_dds_common::Messages, rosgraph_msgs::Messages,
                  service_msgs::Messages, std_msgs::Messages, tandem_msgs::Messages,
                  type_description_interfaces::Messages, unique_identifier_msgs::Messages>;
  using Services = JoinedTypes<action_msgs::Services, diagnostic_msgs::Services, lifecycle_msgs::Services,
                               rcl_interfaces::Services, std_srvs::Services, type_description_interfaces::Services>;
  using Actions = Types<>;
};

}  // namespace tandem::ros2
