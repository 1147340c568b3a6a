// SPDX-License-Identifier: Apache-2.0
// The checker's own reader of JSON: it shares no parser with what it judges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::prove::checker {

struct Json {
  enum class Type : unsigned char { null, boolean, number, text, list, object } type = Type::null;
  double number = 0;  // of a boolean: 1 or 0
  std::string text{};
  std::vector<Json> items{};         // of a list or an object
  std::vector<std::string> names{};  // of an object: of each item

  // Null where there is no such field.
  const Json& operator[](std::string_view key) const;
};

// Nothing for what is no JSON, or is nested deeper than 32.
std::optional<Json> json_from(std::string_view text);

}  // namespace tandem::prove::checker
