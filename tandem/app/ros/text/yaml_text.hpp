// SPDX-License-Identifier: Apache-2.0
// Numbers and text as Python and its YAML print them, which is what ROS users read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::app::ros {

// 1.0, 0.1, 1e-09, inf, nan
std::string python_number(double value);
// 1.0, 0.1, 1.0e-09, .inf, .nan
std::string yaml_number(double value);

// Text as a YAML scalar: plain where that reads back as the same text, else in single quotes, else in double quotes
// with escapes. Later lines of text that has several are at the indent. Broken UTF-8 becomes U+FFFD.
std::string yaml_text(std::string_view text, int indent);

// Text in quotes with escapes, as Python's repr() has it.
std::string python_text(std::string_view text);

// Text for a terminal: as it is, but control characters other than newline and tab escaped.
std::string terminal_text(std::string_view text);

// How many characters, not bytes, and the first of them.
std::size_t character_count(std::string_view text);
std::string_view first_characters(std::string_view text, std::size_t count);

}  // namespace tandem::app::ros
