// SPDX-License-Identifier: Apache-2.0
// rosgraph_msgs: the clock of a simulation.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::rosgraph_msgs {

struct Clock {
  static constexpr std::string_view type_name = "rosgraph_msgs/msg/Clock";
  TANDEM_FIELDS(Clock, clock);
  builtin_interfaces::Time clock;
};

using Messages = Types<Clock>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::rosgraph_msgs
