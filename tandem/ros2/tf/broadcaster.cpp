// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/broadcaster.hpp"

#include <algorithm>

namespace tandem::ros2 {

TfBroadcaster::TfBroadcaster(Node& node) : publisher_(node.advertise<tf2_msgs::TFMessage>("/tf", Qos::tf())) {}

bool TfBroadcaster::send(std::span<const geometry_msgs::TransformStamped> transforms) {
  message_.transforms.assign(transforms.begin(), transforms.end());
  return publisher_.publish(message_);
}

StaticTfBroadcaster::StaticTfBroadcaster(Node& node)
    : publisher_(node.advertise<tf2_msgs::TFMessage>("/tf_static", Qos::tf_static())) {}

bool StaticTfBroadcaster::send(std::span<const geometry_msgs::TransformStamped> transforms) {
  for (const geometry_msgs::TransformStamped& transform : transforms) {
    const auto known = std::ranges::find(message_.transforms, transform.child_frame_id,
                                         &geometry_msgs::TransformStamped::child_frame_id);
    if (known == message_.transforms.end()) {
      message_.transforms.push_back(transform);
    } else {
      *known = transform;
    }
  }
  return publisher_.publish(message_);
}

}  // namespace tandem::ros2
