// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/short_text.hpp"

#include <fmt/format.h>

namespace tandem {

std::string_view format_into(std::span<char> room, fmt::string_view form, fmt::format_args values) {
  const auto written = fmt::vformat_to_n(room.data(), room.size(), form, values);
  return {room.data(), std::min(written.size, room.size())};
}

}  // namespace tandem
