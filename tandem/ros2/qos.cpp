// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/qos.hpp"

#include <fmt/format.h>

namespace tandem::ros2 {

std::string to_text(const Qos& qos) {
  std::string text =
      fmt::format("{}, {}, {}", qos.reliability == Reliability::reliable ? "reliable" : "best effort",
                  qos.durability == Durability::transient_local ? "transient local" : "volatile",
                  qos.history == History::keep_all ? std::string("keep all") : fmt::format("keep last {}", qos.depth));
  if (qos.deadline != Duration::max()) text += fmt::format(", deadline {} s", seconds(qos.deadline));
  if (qos.lifespan != Duration::max()) text += fmt::format(", lifespan {} s", seconds(qos.lifespan));
  return text;
}

std::string incompatibility(const Qos& offered, const Qos& requested, std::string_view publisher,
                            std::string_view subscriber) {
  std::string why;
  const auto add = [&](std::string_view asked, std::string_view given) {
    why += fmt::format("{}{} asks for {}, {} offers {}", why.empty() ? "" : "; ", subscriber, asked, publisher, given);
  };
  if (requested.reliability > offered.reliability) add("reliable", "best effort");
  if (requested.durability > offered.durability) add("transient local", "volatile");
  if (requested.deadline < offered.deadline) {
    const std::string given =
        offered.deadline == Duration::max() ? "none" : fmt::format("{} s", seconds(offered.deadline));
    add(fmt::format("a deadline of {} s", seconds(requested.deadline)), given);
  }
  if (requested.liveliness > offered.liveliness) add("liveliness by topic", "automatic");
  if (requested.liveliness_lease < offered.liveliness_lease) {
    const std::string given =
        offered.liveliness_lease == Duration::max() ? "none" : fmt::format("{} s", seconds(offered.liveliness_lease));
    add(fmt::format("a liveliness lease of {} s", seconds(requested.liveliness_lease)), given);
  }
  return why;
}

}  // namespace tandem::ros2
