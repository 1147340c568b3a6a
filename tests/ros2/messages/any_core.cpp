// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/messages/groups/core.hpp"
#include "tandem/ros2/messages/groups/every.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {

AnyMessages core_messages() { return messages_of(SentMessages<CoreTypes>{}); }

}  // namespace tandem::ros2
