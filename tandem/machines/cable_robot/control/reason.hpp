// SPDX-License-Identifier: Apache-2.0
// Why, in words of bounded length, made without allocating.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tandem/base/short_text.hpp"
#include "tandem/machines/cable_robot/control/border.hpp"

namespace tandem::cable_robot {

template <typename... Values>
Reason reason(fmt::format_string<Values...> text, Values&&... values) {
  return short_text<160>(text, std::forward<Values>(values)...);
}

}  // namespace tandem::cable_robot
