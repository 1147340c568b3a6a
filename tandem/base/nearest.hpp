// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known word that a mistyped one is closest to.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

// Insertions, deletions, replacements and swaps of neighbours that make one word the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest known word, or nothing when none is close enough to be a slip of the fingers.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "; did you mean 'device'?" and what else is known: for the end of an error text.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

// Text from a stranger, fit for a terminal and a log line: cut, control characters and broken UTF-8 as '?'.
std::string printable(std::string_view text, std::size_t longest = 60);

}  // namespace tandem
