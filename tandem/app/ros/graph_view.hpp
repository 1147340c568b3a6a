// SPDX-License-Identifier: Apache-2.0
// The graph as people ask for it: topics, services and actions by name, without what this process adds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::app::ros {

// A name, and its types: more than one when nodes do not agree.
struct NamedTypes {
  std::string name;
  std::vector<std::string> types;
};
using Names = std::vector<NamedTypes>;

using ros2::is_hidden;

enum class Role { any, writer, reader };

// Topics of all nodes, or of one. A writer publishes, a reader subscribes.
Names topics(const ros2::Graph& graph, bool hidden, Role role = Role::any, std::string_view node = {});
// A reader of requests is the server, a writer the client.
Names services(const ros2::Graph& graph, bool hidden, Role role = Role::any, std::string_view node = {});
// A writer of feedback is the server, a reader a client.
Names actions(const ros2::Graph& graph, Role role = Role::any, std::string_view node = {});

// Peers' endpoints of a topic.
std::vector<const ros2::GraphEndpoint*> publishers(const ros2::Graph& graph, std::string_view topic);
std::vector<const ros2::GraphEndpoint*> subscriptions(const ros2::Graph& graph, std::string_view topic);

const NamedTypes* find(const Names& names, std::string_view name);

// "no topic /chater; did you mean '/chatter'? (known: ...)"
std::string unknown_name(std::string_view what, std::string_view name, const Names& known);

// "  [std_msgs/msg/String, std_msgs/msg/Int32]" without the blanks.
std::string type_list(const NamedTypes& named);

}  // namespace tandem::app::ros
