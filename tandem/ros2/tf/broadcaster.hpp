// SPDX-License-Identifier: Apache-2.0
// Sends coordinate frames: those that move over /tf, those that do not over /tf_static.
#pragma once

#include <span>

#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

// For one thread. Does not allocate once warm.
class TfBroadcaster {
 public:
  explicit TfBroadcaster(Node& node);
  bool send(std::span<const geometry_msgs::TransformStamped> transforms);
  bool send(const geometry_msgs::TransformStamped& transform) { return send({&transform, 1}); }

 private:
  Publisher<tf2_msgs::TFMessage> publisher_;
  tf2_msgs::TFMessage message_;
};

// Every frame put so far goes out again with each new one, so that a late listener gets all of them from the one
// latched message.
class StaticTfBroadcaster {
 public:
  explicit StaticTfBroadcaster(Node& node);
  // Replaces an earlier transform of the same child.
  bool send(std::span<const geometry_msgs::TransformStamped> transforms);
  bool send(const geometry_msgs::TransformStamped& transform) { return send({&transform, 1}); }

 private:
  Publisher<tf2_msgs::TFMessage> publisher_;
  tf2_msgs::TFMessage message_;
};

}  // namespace tandem::ros2
