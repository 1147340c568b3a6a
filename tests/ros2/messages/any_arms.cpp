// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/messages/groups/arms.hpp"
#include "tandem/ros2/messages/groups/every.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {

AnyMessages arm_messages() { return messages_of(SentMessages<ArmTypes>{}); }

}  // namespace tandem::ros2
