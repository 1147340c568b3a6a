// SPDX-License-Identifier: Apache-2.0
// unique_identifier_msgs: 16 bytes that name one thing indefinitely.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::unique_identifier_msgs {

struct UUID {
  static constexpr std::string_view type_name = "unique_identifier_msgs/msg/UUID";
  TANDEM_FIELDS(UUID, uuid);
  std::array<std::uint8_t, 16> uuid{};
  auto operator<=>(const UUID&) const = default;
};

using Messages = Types<UUID>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::unique_identifier_msgs
