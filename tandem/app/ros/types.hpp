// Where a type's description comes from: compiled in, or asked of a node that uses it.
#pragma once

#include <string>
#include <string_view>

#include "tandem/app/ros/session.hpp"
#include "tandem/ros2/dynamic.hpp"

namespace tandem::app::ros {

struct FoundType {
  ros2::DynamicType type;
  std::string hash;
};

// "std_msgs/String" and "std_msgs/msg/String" are the same; the middle part is `kind` where it is missing.
std::string full_type_name(std::string_view name, std::string_view kind);

// Ours, unless the graph shows a publisher or subscription of this type with another hash: then as its node describes
// it. The error says where it was looked for.
Result<FoundType> find_type(Session& session, const ros2::Graph& graph, const std::string& name);

// "unknown type std_msgs/msg/Strnig; did you mean 'std_msgs/msg/String'?"
std::string unknown_type(std::string_view name);

}  // namespace tandem::app::ros
