// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/messages/groups/every.hpp"
#include "tandem/ros2/messages/groups/vehicles.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {

AnyMessages vehicle_messages() { return messages_of(SentMessages<VehicleTypes>{}); }

}  // namespace tandem::ros2
