// SPDX-License-Identifier: Apache-2.0
// Characters of names and numbers, whatever the locale.
#pragma once

namespace tandem::generic {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool in_name(char c) { return begins_name(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace tandem::generic
