// SPDX-License-Identifier: Apache-2.0
// ROS messages as JSON and back, by their description. Numbers keep all their digits; numbers that JSON does not have
// are the words "NaN", "Infinity" and "-Infinity".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::runtime {

// Any text in, a tree or an error out; nested at most 64 deep.
Result<ros2::Value> value_from_json(std::string_view json);

// The message with its CDR header. Fields that are not named keep their default; where `now` is given, a stamp may be
// "now" and a header "auto". An error names the field.
Result<std::vector<std::uint8_t>> cdr_from_json(const ros2::DynamicType& type, std::string_view json,
                                                std::optional<UtcTime> now = std::nullopt);

// In one line, in the order of the fields; always valid UTF-8.
Result<std::string> json_from_cdr(const ros2::DynamicType& type, Bytes cdr);

// A word in quotes, with what is no UTF-8 replaced.
void append_json_text(std::string& out, std::string_view text);
// The shortest digits that read back as the same number.
void append_json_number(std::string& out, double value);

}  // namespace tandem::runtime
