// SPDX-License-Identifier: Apache-2.0
// Where things are and what is seen of them: geometry, sensors, maps, markers.
#pragma once

#include "tandem/ros2/messages/geographic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/messages/trajectory_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"

namespace tandem::ros2 {

struct WorldTypes {
  using Messages =
      JoinedTypes<geographic_msgs::Messages, geometry_msgs::Messages, nav_msgs::Messages, sensor_msgs::Messages,
                  tf2_msgs::Messages, trajectory_msgs::Messages, visualization_msgs::Messages>;
  using Services =
      JoinedTypes<nav_msgs::Services, sensor_msgs::Services, tf2_msgs::Services, visualization_msgs::Services>;
  using Actions = tf2_msgs::Actions;
};

}  // namespace tandem::ros2
