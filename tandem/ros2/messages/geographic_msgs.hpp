// SPDX-License-Identifier: Apache-2.0
// geographic_msgs: a place on Earth, WGS 84.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::geographic_msgs {

struct GeoPoint {
  static constexpr std::string_view type_name = "geographic_msgs/msg/GeoPoint";
  TANDEM_FIELDS(GeoPoint, latitude, longitude, altitude);
  double latitude = 0.0;
  double longitude = 0.0;
  double altitude = 0.0;
};

using Messages = Types<GeoPoint>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::geographic_msgs
