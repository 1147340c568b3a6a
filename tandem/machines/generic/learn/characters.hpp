// SPDX-License-Identifier: Apache-2.0
// ASCII characters, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tandem::generic::ascii {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }
constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - ('a' - 'A')) : c; }

inline std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}
inline std::string in_upper_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), upper);
  return out;
}

}  // namespace tandem::generic::ascii
