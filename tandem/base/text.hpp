// SPDX-License-Identifier: Apache-2.0
// Small operations on text.
#pragma once

#include <string_view>

namespace tandem {

// The text without leading and trailing blanks.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n\f\v") {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace tandem
