// SPDX-License-Identifier: Apache-2.0
// Where a type's description comes from: compiled in, asked of a node that uses it, or read of a ROS installation.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/ros2/node.hpp"
#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app::ros {

struct FoundType {
  ros2::DynamicType type;
  std::string hash;
  std::vector<ros2::TypeDescription> described{};  // the whole first; none of a type that is compiled in
};

// Who asks, and where what a person should know goes.
struct TypeLookup {
  std::function<ros2::Node&()> node;
  std::function<void(const std::string&)> remark;
};

// "std_msgs/String" and "std_msgs/msg/String" are the same; the middle part is `kind` where it is missing.
std::string full_type_name(std::string_view name, std::string_view kind);

// Ours, unless the graph shows a publisher or subscription of this type with another hash: then as its node describes
// it, or as it is installed on this computer. The error speaks of `whole`, the service or action that it is part of,
// and says where it was looked for.
//
// A node of rcl describes topics' types by their hash, but of a service only the whole, by a hash that discovery does
// not give before Kilted: there the installation helps.
Result<FoundType> find_type(const TypeLookup& lookup, const ros2::Graph& graph, const std::string& name,
                            const std::string& whole = "");

// A type that another one contains.
Result<FoundType> nested_type(const FoundType& type, const std::string& name);

// "unknown type std_msgs/msg/Strnig; did you mean 'std_msgs/msg/String'?"
std::string unknown_type(std::string_view name);

}  // namespace tandem::app::ros
