// SPDX-License-Identifier: Apache-2.0
// Why, in words of bounded length, made without allocating.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tandem/machines/cable_robot/control/border.hpp"

namespace tandem::cable_robot {

template <typename... Values>
Reason reason(fmt::format_string<Values...> text, Values&&... values) {
  std::array<char, 160> room;
  const auto end = fmt::format_to_n(room.data(), room.size(), text, std::forward<Values>(values)...);
  return Reason(std::string_view(room.data(), std::min(end.size, room.size())));
}

}  // namespace tandem::cable_robot
