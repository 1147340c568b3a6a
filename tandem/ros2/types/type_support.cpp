// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/type_support.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/sha256.hpp"

namespace tandem::ros2 {
namespace {

std::string json_of(const TypeDescription& description) {
  std::string fields;
  const auto add = [&](std::string_view name, int id, std::size_t capacity, std::size_t string_capacity,
                       std::string_view nested) {
    fields += fmt::format(
        R"({}{{"name": "{}", "type": {{"type_id": {}, "capacity": {}, "string_capacity": {}, "nested_type_name": "{}"}}}})",
        fields.empty() ? "" : ", ", name, id, capacity, string_capacity, nested);
  };
  for (const FieldDescription& field : description.fields) {
    add(field.name, field.type_id, field.capacity, field.string_capacity, field.nested);
  }
  if (description.fields.empty()) add("structure_needs_at_least_one_member", 3, 0, 0, "");
  return fmt::format(R"({{"type_name": "{}", "fields": [{}]}})", description.name, fields);
}

// "geometry_msgs/msg/Point" -> "geometry_msgs/Point", as .msg files name other messages.
std::string short_name(std::string_view name) {
  const std::size_t first = name.find('/'), last = name.rfind('/');
  if (first == std::string_view::npos || first == last) return std::string(name);
  return std::string(name.substr(0, first)) + std::string(name.substr(last));
}

// " 0.5" behind the name, as .msg files have it; only single values have one here.
std::string initial_text(const FieldDescription& field) {
  if (field.default_value.empty() || !field.array.empty() || !field.nested.empty()) return "";
  if (field.text == "bool") return field.default_value == "0" ? " false" : " true";
  return " " + field.default_value;
}

std::string text_of(const TypeDescription& description) {
  std::string text;
  for (const FieldDescription& field : description.fields) {
    text += fmt::format("{}{} {}{}\n", field.nested.empty() ? field.text : short_name(field.nested), field.array,
                        field.name, initial_text(field));
  }
  return text;
}

constexpr int element_ids = 48;  // arrays, bounded sequences and sequences add one, two or three times this

std::string text_of(const detail::RawField& field, int element) {
  constexpr const char* names[] = {"int8",   "uint8", "int16",  "uint16",  "int32",
                                   "uint32", "int64", "uint64", "float32", "float64"};
  if (field.nested != nullptr) return std::string(field.nested->name);
  if (field.is_char) return "char";
  if (element >= 2 && element < 12) return names[element - 2];
  switch (element) {
    case 15:
      return "bool";
    case 16:
      return "byte";
    case 17:
      return "string";
    case 18:
      return "wstring";
    default:
      return fmt::format("string<={}", field.string_capacity);
  }
}

std::string array_of(const detail::RawField& field, int kind) {
  if (kind == 0) return "";
  if (kind == 3) return "[]";
  return fmt::format("[{}{}]", kind == 1 ? "" : "<=", field.capacity);
}

TypeDescription described(const detail::RawType& type) {
  TypeDescription description{std::string(type.name), {}};
  for (std::size_t i = 0; i < type.count; ++i) {
    const detail::RawField& field = type.fields[i];
    description.fields.push_back({std::string(field.name), text_of(field, field.type_id % element_ids),
                                  array_of(field, field.type_id / element_ids), field.type_id, field.capacity,
                                  field.string_capacity, field.nested == nullptr ? "" : std::string(field.nested->name),
                                  field.initial == 0.0 ? "" : fmt::format("{}", field.initial)});
  }
  return description;
}

// In order of first use.
void collect(const detail::RawType& type, std::vector<const detail::RawType*>& found) {
  for (std::size_t i = 0; i < type.count; ++i) {
    const detail::RawType* nested = type.fields[i].nested;
    if (nested == nullptr) continue;
    if (std::ranges::any_of(found, [&](const auto* known) { return known->name == nested->name; })) continue;
    found.push_back(nested);
    collect(*nested, found);
  }
}

}  // namespace

std::string type_hash(const TypeDescription& description, std::vector<TypeDescription> referenced) {
  std::ranges::sort(referenced, {}, &TypeDescription::name);
  std::string others;
  for (const TypeDescription& other : referenced) others += (others.empty() ? "" : ", ") + json_of(other);
  const std::string json =
      fmt::format(R"({{"type_description": {}, "referenced_type_descriptions": [{}]}})", json_of(description), others);
  return "RIHS01_" + hex(sha256(as_bytes(json)));
}

std::string definition_text(const TypeDescription& description, const std::vector<TypeDescription>& referenced) {
  std::string text = text_of(description);
  for (const TypeDescription& other : referenced) {
    text += fmt::format("{:=>80}\nMSG: {}\n{}", "", short_name(other.name), text_of(other));
  }
  return text;
}

std::string dds_type_name(std::string_view ros_name) {
  std::string name;
  const std::size_t last = ros_name.rfind('/');
  for (const char c : ros_name.substr(0, last == std::string_view::npos ? 0 : last)) {
    if (c == '/') {
      name += "::";
    } else {
      name += c;
    }
  }
  return fmt::format("{}{}dds_::{}_", name, name.empty() ? "" : "::", ros_name.substr(name.empty() ? 0 : last + 1));
}

std::string ros_type_name(std::string_view dds_name) {
  const std::size_t mark = dds_name.find("::dds_::");
  if (mark == std::string_view::npos || mark == 0 || dds_name.back() != '_') return "";
  std::string name(dds_name.substr(0, mark));
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::")) name.replace(at, 2, "/");
  const std::string_view last = dds_name.substr(mark + 8);
  return name + "/" + std::string(last.substr(0, last.size() - 1));
}

TypeSupport detail::make_type_support(const RawType& type) {
  TypeSupport support;
  support.description = described(type);
  std::vector<const RawType*> nested;
  collect(type, nested);
  for (const RawType* other : nested) support.referenced.push_back(described(*other));
  support.name = type.name;
  support.dds_name = dds_type_name(type.name);
  support.hash = type_hash(support.description, support.referenced);
  support.definition = definition_text(support.description, support.referenced);
  return support;
}

}  // namespace tandem::ros2
