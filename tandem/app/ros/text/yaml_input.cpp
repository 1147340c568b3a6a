// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/text/yaml_input.hpp"

#include <fmt/format.h>

#include "tandem/yaml/tree.hpp"

namespace tandem::app::ros {
namespace {

ros2::Value::Kind kind_from(yaml::Node::Kind kind) {
  switch (kind) {
    case yaml::Node::Kind::nothing:
      return ros2::Value::Kind::nothing;
    case yaml::Node::Kind::scalar:
      return ros2::Value::Kind::scalar;
    case yaml::Node::Kind::sequence:
      return ros2::Value::Kind::list;
    case yaml::Node::Kind::map:
      break;
  }
  return ros2::Value::Kind::map;
}

ros2::Value value_from(yaml::Node& node) {
  ros2::Value value;
  value.kind = kind_from(node.kind);
  value.scalar = std::move(node.scalar);
  value.quoted = node.quoted;
  for (yaml::Node& key : node.keys) value.names.push_back(std::move(key.scalar));
  for (yaml::Node& item : node.items) value.items.push_back(value_from(item));
  return value;
}

}  // namespace

Result<ros2::Value> value_from_yaml(const std::string& text) {
  try {
    yaml::Node tree = yaml::parse(text, "message");
    return value_from(tree);
  } catch (const yaml::FileError& error) {
    return Error{Fault::invalid, error.what()};
  }
}

Result<std::vector<std::uint8_t>> message_from_yaml(const ros2::DynamicType& type, const std::string& text) {
  const Result<ros2::Value> value = value_from_yaml(text);
  if (!value) return value.error();
  return write_message(type, *value, system_clock().utc());
}

}  // namespace tandem::app::ros
