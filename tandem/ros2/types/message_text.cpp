// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::ros2 {
namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '_'; }

bool is_field_name(std::string_view name) {
  return !name.empty() && begins_name(name.front()) && std::ranges::all_of(name, continues_name);
}
// "package/msg/Name", or any other number of words with slashes between them.
bool is_type_name(std::string_view name) {
  return !name.empty() && begins_name(name.front()) && name.back() != '/' &&
         name.find("//") == std::string_view::npos &&
         std::ranges::all_of(name, [](char c) { return continues_name(c) || c == '/'; });
}

// A peer's words for an initial value, where they are fit for a line of text.
std::string with_initial(const DynamicField& field) {
  const std::string& value = field.default_value;
  const bool plain = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != '#' && c != '\\'; });
  if (value.empty() || !plain || field.shape != DynamicShape::single) return "";
  if (field.kind == DynamicKind::boolean) return value == "0" || value == "false" || value == "False" ? "0" : "1";
  if (field.kind != DynamicKind::string && field.kind != DynamicKind::wstring) {
    return value.find_first_not_of("+-.0123456789eE") == std::string::npos ? value : "";
  }
  if (value.find('"') != std::string::npos) return "";
  return fmt::format("\"{}\"", value);
}

}  // namespace

Result<std::string> ros2msg_text(std::string_view type) {
  const TypeSupport* known = find_type(type);
  if (known == nullptr) return Error{Fault::not_found, fmt::format("unknown type {}", printable(type))};
  return known->definition;
}

Result<std::string> ros2msg_text(const TypeDescription& root, std::span<const TypeDescription> referenced) {
  const Result<DynamicType> type = make_dynamic_type(root, referenced);
  if (!type) return type.error();
  std::vector<TypeDescription> told;
  for (const DynamicMessage& message : type->messages) {
    if (!is_type_name(message.name)) {
      return Error{Fault::invalid, fmt::format("expected a type name, got \"{}\"", printable(message.name))};
    }
    TypeDescription description{message.name, {}};
    for (const DynamicField& field : message.fields) {
      if (!is_field_name(field.name)) {
        return Error{Fault::invalid, fmt::format("{}: expected a field name, got \"{}\"", printable(message.name),
                                                 printable(field.name))};
      }
      const std::size_t bracket = std::min(field.text.find('['), field.text.size());
      FieldDescription made;
      made.name = field.name;
      made.text = field.text.substr(0, bracket);
      made.array = field.text.substr(bracket);
      if (field.kind == DynamicKind::message) made.nested = type->messages[field.message].name;
      made.default_value = with_initial(field);
      description.fields.push_back(std::move(made));
    }
    told.push_back(std::move(description));
  }
  const TypeDescription first = std::move(told.front());
  told.erase(told.begin());
  return definition_text(first, told);
}

}  // namespace tandem::ros2
