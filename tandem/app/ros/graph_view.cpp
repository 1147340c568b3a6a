// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/graph_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tandem/base/nearest.hpp"

namespace tandem::app::ros {
namespace {

using ros2::Graph;
using ros2::GraphEndpoint;

constexpr std::size_t most_listed = 20;

// Collects what `name_of` and `type_of` make of the endpoints; empty names are left out.
Names collect(const Graph& graph, Role role, std::string_view node,
              const std::function<std::string(const GraphEndpoint&)>& name_of, std::string_view type_ending) {
  std::map<std::string, std::set<std::string>> found;
  for (const GraphEndpoint& endpoint : graph.endpoints) {
    if (endpoint.local || (role != Role::any && endpoint.writes != (role == Role::writer))) continue;
    if (!node.empty() && endpoint.node != node) continue;
    const std::string name = name_of(endpoint);
    if (name.empty()) continue;
    std::string type = endpoint.type.empty() ? endpoint.dds_type : endpoint.type;
    if (type.ends_with(type_ending)) type.resize(type.size() - type_ending.size());
    found[name].insert(type);
  }
  Names names;
  for (const auto& [name, types] : found) names.push_back({name, {types.begin(), types.end()}});
  return names;
}

std::vector<const GraphEndpoint*> endpoints(const Graph& graph, std::string_view topic, bool writes) {
  std::vector<const GraphEndpoint*> found;
  for (const GraphEndpoint& endpoint : graph.endpoints) {
    if (!endpoint.local && endpoint.topic == topic && endpoint.writes == writes) found.push_back(&endpoint);
  }
  return found;
}

}  // namespace

Names topics(const Graph& graph, bool hidden, Role role, std::string_view node) {
  Names all = collect(
      graph, role, node, [](const GraphEndpoint& endpoint) { return endpoint.topic; }, "");
  if (!hidden) std::erase_if(all, [](const NamedTypes& each) { return is_hidden(each.name); });
  return all;
}

Names services(const Graph& graph, bool hidden, Role role, std::string_view node) {
  const auto request = [](const GraphEndpoint& endpoint) {
    return endpoint.dds_topic.starts_with("rq/") ? ros2::ros_service_name(endpoint.dds_topic) : std::string();
  };
  Names all = collect(graph, role, node, request, "_Request");
  if (!hidden) std::erase_if(all, [](const NamedTypes& each) { return is_hidden(each.name); });
  return all;
}

Names actions(const Graph& graph, Role role, std::string_view node) {
  const auto feedback = [](const GraphEndpoint& endpoint) {
    constexpr std::string_view ending = "/_action/feedback";
    return endpoint.topic.ends_with(ending) ? endpoint.topic.substr(0, endpoint.topic.size() - ending.size())
                                            : std::string();
  };
  return collect(graph, role, node, feedback, "_FeedbackMessage");
}

std::vector<const GraphEndpoint*> publishers(const Graph& graph, std::string_view topic) {
  return endpoints(graph, topic, true);
}
std::vector<const GraphEndpoint*> subscriptions(const Graph& graph, std::string_view topic) {
  return endpoints(graph, topic, false);
}

const NamedTypes* find(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &NamedTypes::name);
  return found == names.end() ? nullptr : &*found;
}

std::string unknown_name(std::string_view what, std::string_view name, const Names& known) {
  if (known.empty()) return fmt::format("unknown {0} {1}; there is no {0} at all", what, printable(name));
  std::vector<std::string_view> names;
  for (const NamedTypes& each : known) names.emplace_back(each.name);
  const std::string_view close = nearest(name, names);
  const std::size_t more = names.size() > most_listed ? names.size() - most_listed : 0;
  names.resize(names.size() - more);
  return fmt::format("unknown {} {}{} (available: {}{})", what, printable(name),
                     close.empty() ? "" : fmt::format("; did you mean '{}'?", printable(close)), fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string type_list(const NamedTypes& named) { return fmt::format("[{}]", fmt::join(named.types, ", ")); }

}  // namespace tandem::app::ros
