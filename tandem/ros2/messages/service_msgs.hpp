// SPDX-License-Identifier: Apache-2.0
// service_msgs: what service introspection reports of a call.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::service_msgs {

struct ServiceEventInfo {
  static constexpr std::string_view type_name = "service_msgs/msg/ServiceEventInfo";
  TANDEM_FIELDS(ServiceEventInfo, event_type, stamp, client_gid, sequence_number);
  static constexpr std::uint8_t REQUEST_SENT = 0, REQUEST_RECEIVED = 1, RESPONSE_SENT = 2, RESPONSE_RECEIVED = 3;
  std::uint8_t event_type = 0;
  builtin_interfaces::Time stamp;
  std::array<char, 16> client_gid{};
  std::int64_t sequence_number = 0;
};

using Messages = Types<ServiceEventInfo>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::service_msgs
