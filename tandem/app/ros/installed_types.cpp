// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/installed_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace tandem::app::ros {
namespace {

using nlohmann::json;

constexpr std::size_t largest_file = 4u << 20;  // bytes

const json& json_member(const json& object, const char* name) {
  static const json none;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : none;
}

std::string json_text(const json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::size_t json_number(const json& value) { return value.is_number_unsigned() ? value.get<std::size_t>() : 0; }

ros2::TypeDescription description_from(const json& object) {
  ros2::TypeDescription description{json_text(json_member(object, "type_name")), {}};
  for (const json& field : json_member(object, "fields")) {
    const json& type = json_member(field, "type");
    description.fields.push_back(
        {.name = json_text(json_member(field, "name")),
         .type_id = static_cast<int>(std::min<std::size_t>(json_number(json_member(type, "type_id")), 255)),
         .capacity = json_number(json_member(type, "capacity")),
         .string_capacity = json_number(json_member(type, "string_capacity")),
         .nested = json_text(json_member(type, "nested_type_name")),
         .default_value = json_text(json_member(field, "default_value"))});
  }
  return description;
}

// The interface whose file describes the part: names of ROS have no underscore, those of parts have.
std::string whole_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(0, name.find('_', slash));
}

}  // namespace

Result<std::vector<ros2::TypeDescription>> type_from_json(const std::string& name, std::string_view text_of_file) {
  const json file = json::parse(text_of_file, nullptr, false);
  const json& message = json_member(file, "type_description_msg");
  std::vector<ros2::TypeDescription> all{description_from(json_member(message, "type_description"))};
  for (const json& each : json_member(message, "referenced_type_descriptions")) all.push_back(description_from(each));
  const auto found = std::ranges::find(all, name, &ros2::TypeDescription::name);
  if (found == all.end()) return Error{Fault::invalid, fmt::format("describes no {}", name)};
  std::rotate(all.begin(), found, found + 1);
  return all;
}

Result<std::vector<ros2::TypeDescription>> installed_type(const std::string& name, std::string_view prefixes) {
  const std::string relative = whole_of(name) + ".json";
  const bool plain = relative.find("..") == std::string::npos && std::ranges::count(relative, '/') == 2;
  while (plain && !prefixes.empty()) {
    const std::size_t end = std::min(prefixes.find(':'), prefixes.size());
    const std::filesystem::path path = std::filesystem::path(prefixes.substr(0, end)) / "share" / relative;
    prefixes.remove_prefix(std::min(end + 1, prefixes.size()));
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) > largest_file)
      continue;
    std::ifstream file(path);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    auto type = type_from_json(name, content);
    return type ? type : Result<std::vector<ros2::TypeDescription>>(within(path.string(), type.error()));
  }
  return Error{Fault::not_found, fmt::format("no {} in AMENT_PREFIX_PATH", relative)};
}

}  // namespace tandem::app::ros
