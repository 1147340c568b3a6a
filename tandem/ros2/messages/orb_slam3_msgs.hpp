// SPDX-License-Identifier: Apache-2.0
// orb_slam3_msgs: how well the visual tracking of a camera goes.
#pragma once

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::orb_slam3_msgs {

struct SlamStatus {
  static constexpr std::string_view type_name = "orb_slam3_msgs/msg/SlamStatus";
  TANDEM_FIELDS(SlamStatus, header, tracking_state, map_changed, map_id, pose, tracked_points);

  static constexpr std::int8_t TRACKING_SYSTEM_NOT_READY = -1;
  static constexpr std::int8_t TRACKING_NO_IMAGES_YET = 0;
  static constexpr std::int8_t TRACKING_NOT_INITIALIZED = 1;
  static constexpr std::int8_t TRACKING_OK = 2;
  static constexpr std::int8_t TRACKING_RECENTLY_LOST = 3;
  static constexpr std::int8_t TRACKING_LOST = 4;
  static constexpr std::int8_t TRACKING_OK_KLT = 5;

  std_msgs::Header header;
  std::int8_t tracking_state = 0;
  bool map_changed = false;
  std::uint32_t map_id = 0;
  geometry_msgs::Pose pose;
  sensor_msgs::PointCloud2 tracked_points;
};

using Messages = Types<SlamStatus>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::orb_slam3_msgs
