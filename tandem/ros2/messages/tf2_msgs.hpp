// tf2_msgs: what goes over /tf and /tf_static.
#pragma once

#include "tandem/ros2/messages/geometry_msgs.hpp"

namespace tandem::ros2::tf2_msgs {

struct TFMessage {
  static constexpr std::string_view type_name = "tf2_msgs/msg/TFMessage";
  static constexpr auto fields() { return std::tuple{field("transforms", &TFMessage::transforms)}; }
  std::vector<geometry_msgs::TransformStamped> transforms;
  bool operator==(const TFMessage&) const = default;
};

}  // namespace tandem::ros2::tf2_msgs
