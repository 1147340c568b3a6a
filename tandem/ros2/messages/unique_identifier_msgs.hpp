// unique_identifier_msgs: 16 bytes that name one thing indefinitely.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::unique_identifier_msgs {

struct UUID {
  static constexpr std::string_view type_name = "unique_identifier_msgs/msg/UUID";
  static constexpr auto fields() { return Fields{field("uuid", &UUID::uuid)}; }
  std::array<std::uint8_t, 16> uuid{};
  bool operator==(const UUID&) const = default;
  auto operator<=>(const UUID&) const = default;
};

using Messages = Types<UUID>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::unique_identifier_msgs
