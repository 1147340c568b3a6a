#include "tandem/app/ros/text/yaml_input.hpp"

#include <fmt/format.h>

#include "tandem/yaml/tree.hpp"

namespace tandem::app::ros {
namespace {

ros2::Value value_from(yaml::Node& node) {
  using Kind = yaml::Node::Kind;
  ros2::Value value;
  value.kind = node.kind == Kind::nothing    ? ros2::Value::Kind::nothing
               : node.kind == Kind::scalar   ? ros2::Value::Kind::scalar
               : node.kind == Kind::sequence ? ros2::Value::Kind::list
                                             : ros2::Value::Kind::map;
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
