// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tandem::machines::query {

Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

std::string to_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string seen(const Json& value) {
  constexpr std::size_t most = 60;
  std::string text = to_text(value);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

Result<Json> object_from(std::string_view text, std::span<const std::string_view> fields) {
  // A query is one line; nesting deeper than this is no query, and must not cost the parser its stack.
  constexpr int deepest = 4;
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > deepest;
    return !too_deep;
  };
  Json object = Json::parse(text, watch, false);
  if (too_deep) return wrong("query: expected one JSON object with numbers or lists of them, got deeper nesting");
  if (object.is_discarded()) return wrong("query: expected one JSON object, got text that is not JSON");
  if (!object.is_object()) return wrong(fmt::format("query: expected a JSON object, got {}", seen(object)));
  for (const auto& [key, value] : object.items()) {
    if (std::find(fields.begin(), fields.end(), key) != fields.end()) continue;
    return wrong(
        fmt::format("{}: unknown field{}", seen(key),
                    fields.size() == 1 ? fmt::format("; expected \"{}\"", fields[0]) : suggestion(key, fields)));
  }
  return object;
}

Result<double> number_from(const Json& value, const std::string& name) {
  if (!value.is_number()) return wrong(fmt::format("{}: expected a number, got {}", name, seen(value)));
  const double number = value.get<double>();
  if (!std::isfinite(number)) return wrong(fmt::format("{}: expected a finite number, got {}", name, number));
  return number;
}

Result<void> read_list(const Json& value, const std::string& name, std::span<double> numbers) {
  if (!value.is_array() || value.size() != numbers.size())
    return wrong(fmt::format("{}: expected an array of {} numbers, got {}", name, numbers.size(), seen(value)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = number_from(value[i], fmt::format("{}[{}]", name, i));
    if (!number) return number.error();
    numbers[i] = *number;
  }
  return {};
}

}  // namespace tandem::machines::query
