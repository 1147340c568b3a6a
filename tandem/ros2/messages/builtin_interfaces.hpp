// SPDX-License-Identifier: Apache-2.0
// Time as ROS messages carry it: seconds and nanoseconds.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::builtin_interfaces {

struct Duration {
  static constexpr std::string_view type_name = "builtin_interfaces/msg/Duration";
  TANDEM_FIELDS(Duration, sec, nanosec);
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
};

struct Time {
  static constexpr std::string_view type_name = "builtin_interfaces/msg/Time";
  TANDEM_FIELDS(Time, sec, nanosec);
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
};

using Messages = Types<Duration, Time>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::builtin_interfaces
