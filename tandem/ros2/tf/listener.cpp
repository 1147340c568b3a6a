// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/listener.hpp"

namespace tandem::ros2 {
namespace {

auto filler(TfBuffer& buffer, const Clock& clock, bool is_static) {
  return [&buffer, &clock, is_static](const tf2_msgs::TFMessage& message, const MessageInfo& info) {
    const TfReception reception{info.publisher, info.received, clock.utc()};
    for (const geometry_msgs::TransformStamped& transform : message.transforms) {
      buffer.insert(transform, is_static, reception);
    }
  };
}

}  // namespace

TfListener::TfListener(Node& node, TfBuffer& buffer, const Clock& clock, Reliability reliability)
    : moving_(node.subscribe<tf2_msgs::TFMessage>("/tf", Qos{.depth = 100, .reliability = reliability},
                                                  filler(buffer, clock, false))),
      static_(node.subscribe<tf2_msgs::TFMessage>("/tf_static", Qos::latched(100), filler(buffer, clock, true))) {}

}  // namespace tandem::ros2
