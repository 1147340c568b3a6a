// SPDX-License-Identifier: Apache-2.0
// node list, info.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/graph_view.hpp"

namespace tandem::app::ros {
namespace {

// Full names; a node that shares its name with another is there twice.
std::vector<std::string> node_names(const ros2::Graph& graph, bool hidden) {
  std::vector<std::string> names;
  for (const ros2::GraphNode& node : graph.nodes) {
    if (!node.local && (hidden || !is_hidden(node.name))) names.push_back(node.full_name());
  }
  std::ranges::sort(names);
  return names;
}

int list_nodes(Session& session, bool hidden, bool count) {
  const std::vector<std::string> names = node_names(session.discover(), hidden);
  if (std::ranges::adjacent_find(names) != names.end()) {
    session.remark("some nodes share a name; requests to one of them may reach another");
  }
  if (count) {
    session.print(fmt::format("{}\n", names.size()));
    return success;
  }
  for (const std::string& name : names) session.print(name + "\n");
  return success;
}

void section(std::string& out, const char* title, const Names& names) {
  out += fmt::format("  {}:\n", title);
  for (const NamedTypes& each : names) out += fmt::format("    {}: {}\n", each.name, fmt::join(each.types, ", "));
  if (names.empty()) out += "\n";
}

int info(Session& session, const std::string& text, bool hidden) {
  const std::string name = text.starts_with('/') ? text : "/" + text;
  const ros2::Graph graph = session.discover();
  Names known;
  for (const std::string& each : node_names(graph, true)) known.push_back({each, {}});
  const auto count = std::ranges::count(known, name, &NamedTypes::name);
  if (count == 0) {
    std::erase_if(known, [](const NamedTypes& each) { return is_hidden(each.name); });
    return fail(unknown_name("node", name, known));
  }
  if (count > 1) session.remark(fmt::format("{} nodes are named {}; this is all of them together", count, name));
  std::string out = name + "\n";
  section(out, "Subscribers", topics(graph, hidden, Role::reader, name));
  section(out, "Publishers", topics(graph, hidden, Role::writer, name));
  section(out, "Service Servers", services(graph, hidden, Role::reader, name));
  section(out, "Service Clients", services(graph, hidden, Role::writer, name));
  section(out, "Action Servers", actions(graph, Role::writer, name));
  section(out, "Action Clients", actions(graph, Role::reader, name));
  session.print(out);
  return success;
}

}  // namespace

void add_node_commands(Commands& commands) {
  struct Options {
    std::string name;
    bool hidden = false, count = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* node = commands.group("node", "list, info");
  CLI::App* command =
      commands.add(node, "list", "list all nodes", "  tandem ros node list\n",
                   [options](Session& session) { return list_nodes(session, options->hidden, options->count); });
  command->add_flag("-a,--all", options->hidden, "include hidden nodes (names that begin with an underscore)");
  command->add_flag("-c,--count-nodes", options->count, "print only the count");

  command = commands.add(node, "info", "print a node's publishers, subscribers, services and clients",
                         "  tandem ros node info /ads_em1500_node\n",
                         [options](Session& session) { return info(session, options->name, options->hidden); });
  command->add_option("NAME", options->name, "such as /ads_em1500_node")->required();
  command->add_flag("-a,--include-hidden", options->hidden, "include hidden topics and services");
}

}  // namespace tandem::app::ros
