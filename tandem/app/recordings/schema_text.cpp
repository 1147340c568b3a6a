// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/schema_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"

namespace tandem::app {

namespace {

constexpr std::array<std::pair<std::string_view, int>, 17> scalar_ids = {{{"int8", 2},
                                                                          {"uint8", 3},
                                                                          {"int16", 4},
                                                                          {"uint16", 5},
                                                                          {"int32", 6},
                                                                          {"uint32", 7},
                                                                          {"int64", 8},
                                                                          {"uint64", 9},
                                                                          {"float32", 10},
                                                                          {"float64", 11},
                                                                          {"float", 10},
                                                                          {"double", 11},
                                                                          {"char", 3},
                                                                          {"bool", 15},
                                                                          {"byte", 16},
                                                                          {"string", 17},
                                                                          {"wstring", 18}}};

std::optional<std::size_t> count_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "Point" within geometry_msgs, "geometry_msgs/Point" and "geometry_msgs/msg/Point" are the same.
std::string whole_name(std::string_view name, std::string_view package) {
  if (name == "Header") return "std_msgs/msg/Header";
  if (name == "time" || name == "Time") return "builtin_interfaces/msg/Time";
  if (name == "duration" || name == "Duration") return "builtin_interfaces/msg/Duration";
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return fmt::format("{}/msg/{}", package, name);
  if (name.find('/', slash + 1) != std::string_view::npos) return std::string(name);
  return fmt::format("{}/msg/{}", name.substr(0, slash), name.substr(slash + 1));
}

// "float64[36]", "string<=10[<=5]", "Point[]" into the description; false when it is none.
bool take_type(std::string_view text, std::string_view package, ros2::FieldDescription& field) {
  int shape = 0;
  if (text.ends_with(']')) {
    const auto open = text.rfind('[');
    if (open == std::string_view::npos) return false;
    std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    field.array = std::string(text.substr(open));
    shape = inner.empty() ? 144 : 48;
    if (inner.starts_with("<=")) shape = 96, inner.remove_prefix(2);
    if (!inner.empty()) {
      const auto count = count_of(inner);
      if (!count) return false;
      field.capacity = *count;
    }
    text = text.substr(0, open);
  }
  std::string_view base = text;
  if (const auto bound = text.find("<="); bound != std::string_view::npos) {
    const auto most = count_of(text.substr(bound + 2));
    if (!most) return false;
    field.string_capacity = *most;
    base = text.substr(0, bound);
  }
  field.text = std::string(text);
  for (const auto& [name, id] : scalar_ids) {
    if (name != base) continue;
    const bool bounded = field.string_capacity > 0;
    if (bounded && id != 17 && id != 18) return false;
    field.type_id = id + (bounded ? 4 : 0) + shape;
    return true;
  }
  if (base.empty() || field.string_capacity > 0) return false;
  field.nested = whole_name(base, package);
  field.text = field.nested;
  field.type_id = 1 + shape;
  return true;
}

// One line of a definition; nothing for comments and constants.
Result<std::optional<ros2::FieldDescription>> field_of(std::string_view line, std::string_view package) {
  line = trimmed(line.substr(0, line.find('#')));
  if (line.empty()) return std::optional<ros2::FieldDescription>{};
  const auto type_end = line.find_first_of(" \t");
  const std::string_view rest = type_end == std::string_view::npos ? "" : trimmed(line.substr(type_end));
  const auto name_end = rest.find_first_of(" \t=");
  const std::string_view name = rest.substr(0, name_end);
  const std::string_view after = name_end == std::string_view::npos ? "" : trimmed(rest.substr(name_end));
  if (after.starts_with('=')) return std::optional<ros2::FieldDescription>{};
  ros2::FieldDescription field;
  field.name = std::string(name);
  if (name.empty() || !take_type(line.substr(0, type_end), package, field)) {
    return Error{Fault::invalid, fmt::format("expected 'type name', got '{}'", printable(line, 80))};
  }
  return std::optional(field);
}

std::string_view package_of(std::string_view name) { return name.substr(0, name.find('/')); }

bool separates(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of('=') == std::string_view::npos;
}

constexpr std::size_t most_fields = 10'000;  // of all types in a text

}  // namespace

Result<ros2::DynamicType> type_from_text(std::string_view name, std::string_view text) {
  std::vector<ros2::TypeDescription> types;
  types.push_back({whole_name(name, package_of(name)), {}});
  bool named = true;
  std::size_t number = 0, known = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    ++number;
    if (known > most_fields)
      return Error{Fault::unsupported, fmt::format("{}: line {} of its text: expected at most {} fields",
                                                   printable(name), number, most_fields)};
    if (separates(line)) {
      named = false;
      continue;
    }
    if (!named) {
      if (line.empty()) continue;
      if (!line.starts_with("MSG:")) {
        return Error{Fault::invalid, fmt::format("{}: line {} of its text: expected 'MSG: name', got '{}'",
                                                 printable(name), number, printable(line, 80))};
      }
      const std::string_view next = trimmed(line.substr(4));
      types.push_back({whole_name(next, package_of(next)), {}});
      named = true;
      ++known;
      continue;
    }
    auto field = field_of(line, package_of(types.back().name));
    if (!field) return within(fmt::format("{}: line {} of its text", printable(name), number), field.error());
    if (!*field) continue;
    types.back().fields.push_back(std::move(**field));
    ++known;
  }
  return ros2::make_dynamic_type(types.front(), std::span(types).subspan(1));
}

std::string text_from_type(const ros2::DynamicType& type) {
  std::string text;
  for (const ros2::DynamicMessage& message : type.messages) {
    if (&message != &type.root()) text += fmt::format("{:=<80}\nMSG: {}\n", "", message.name);
    for (const ros2::DynamicField& field : message.fields) text += fmt::format("{} {}\n", field.text, field.name);
  }
  return text;
}

}  // namespace tandem::app
