#include "tandem/ros2/type_support.hpp"

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

std::string hash_of(const TypeDescription& description, std::vector<TypeDescription> referenced) {
  std::ranges::sort(referenced, {}, &TypeDescription::name);
  std::string others;
  for (const TypeDescription& other : referenced) others += (others.empty() ? "" : ", ") + json_of(other);
  const std::string json =
      fmt::format(R"({{"type_description": {}, "referenced_type_descriptions": [{}]}})", json_of(description), others);
  return "RIHS01_" + hex(sha256(as_bytes(json)));
}

// "geometry_msgs/msg/Point" -> "geometry_msgs/Point", as .msg files name other messages.
std::string short_name(std::string_view name) {
  const std::size_t first = name.find('/'), last = name.rfind('/');
  if (first == std::string_view::npos || first == last) return std::string(name);
  return std::string(name.substr(0, first)) + std::string(name.substr(last));
}

std::string text_of(const TypeDescription& description) {
  std::string text;
  for (const FieldDescription& field : description.fields) {
    text +=
        fmt::format("{}{} {}\n", field.nested.empty() ? field.text : short_name(field.nested), field.array, field.name);
  }
  return text;
}

}  // namespace

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

std::string detail::number_text(double number) { return fmt::format("{}", number); }

TypeSupport detail::make_type_support(TypeDescription description, std::vector<TypeDescription> referenced) {
  TypeSupport support;
  support.name = description.name;
  support.dds_name = dds_type_name(description.name);
  support.hash = hash_of(description, referenced);
  support.definition = text_of(description);
  for (const TypeDescription& other : referenced) {
    support.definition += fmt::format("{:=>80}\nMSG: {}\n{}", "", short_name(other.name), text_of(other));
  }
  support.description = std::move(description);
  support.referenced = std::move(referenced);
  return support;
}

}  // namespace tandem::ros2
