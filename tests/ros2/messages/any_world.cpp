// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/messages/groups/every.hpp"
#include "tandem/ros2/messages/groups/world.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {

AnyMessages world_messages() { return messages_of(SentMessages<WorldTypes>{}); }

}  // namespace tandem::ros2
