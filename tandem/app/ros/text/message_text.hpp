// SPDX-License-Identifier: Apache-2.0
// A message as text: YAML like `ros2 topic echo`, comma-separated values, or as Python prints it.
#pragma once

#include <optional>
#include <string>

#include "tandem/app/ros/text/field_path.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app::ros {

enum class TextFormat { yaml, csv, python };

struct TextOptions {
  TextFormat format = TextFormat::yaml;
  std::optional<std::size_t> longest = 128;  // elements of a list, characters of a text; none: all
  bool no_arrays = false;                    // say only how long they are
  bool no_strings = false;
  FieldPath field{};  // only this one; empty: the whole message
};

// Ends with a newline. An index beyond the message's list is an error too.
Result<std::string> message_text(const ros2::DynamicType& type, Bytes cdr, const TextOptions& options);

}  // namespace tandem::app::ros
