// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/recorded_qos.hpp"

#include <fmt/format.h>

namespace tandem::runtime {

// The numbers are those of rmw's enumerations.
std::string text_from_qos(const ros2::Qos& qos) {
  constexpr auto endless = "\n    sec: 9223372036\n    nsec: 854775807";
  return fmt::format(
      "- history: {}\n  depth: {}\n  reliability: {}\n  durability: {}\n  deadline:{}\n  lifespan:{}\n"
      "  liveliness: 1\n  liveliness_lease_duration:{}\n  avoid_ros_namespace_conventions: false",
      qos.history == ros2::History::keep_last ? 1 : 2, qos.depth,
      qos.reliability == ros2::Reliability::reliable ? 1 : 2,
      qos.durability == ros2::Durability::transient_local ? 1 : 2, endless, endless, endless);
}

ros2::Qos qos_from_text(std::string_view text) {
  const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  ros2::Qos qos;
  if (says("reliability: 2") || says("reliability: best_effort")) qos.reliability = ros2::Reliability::best_effort;
  if (says("durability: 1") || says("durability: transient_local")) qos.durability = ros2::Durability::transient_local;
  return qos;
}

ros2::Qos recorded_qos(const record::mcap::Channel& channel) {
  const auto found = channel.metadata.find(qos_key);
  return qos_from_text(found == channel.metadata.end() ? std::string_view() : found->second);
}

}  // namespace tandem::runtime
