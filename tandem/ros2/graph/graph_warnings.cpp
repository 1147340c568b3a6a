// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/graph_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tandem/base/sha256.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::ros2 {
namespace {

// Endpoints are discovered before the message that says whose they are.
constexpr Duration until_named = std::chrono::seconds(2);
// A node that was killed and started again meets its own shadow for the rest of the lease, 10 s.
constexpr Duration until_forgotten = std::chrono::seconds(11);

Duration patience(bool names_known) { return names_known ? Duration{} : until_named; }

const char* role(const GraphEndpoint& endpoint) { return endpoint.writes ? "publisher" : "subscriber"; }

std::string owner(const GraphEndpoint& endpoint) {
  return endpoint.node.empty() ? "of an unknown node" : endpoint.node;
}

std::string key_of(const char* what, const GraphEndpoint& a, const GraphEndpoint& b) {
  return fmt::format("{} {} {}", what, hex(a.gid), hex(b.gid));
}

std::string place(const GraphNode& node) {
  if (node.local) return "in this process";
  return node.address.empty() ? "elsewhere" : "at " + node.address;
}

// Nodes are sorted by full name.
void duplicate_nodes(const Graph& graph, std::vector<Trouble>& out) {
  for (auto first = graph.nodes.begin(); first != graph.nodes.end();) {
    const std::string name = first->full_name();
    const auto end = std::find_if(first, graph.nodes.end(), [&](const auto& node) { return node.full_name() != name; });
    if (end - first > 1) {
      std::string places;
      std::set<std::string> computers;
      for (auto node = first; node != end; ++node) {
        places += (node == first ? "" : ", another ") + place(*node);
        computers.insert(node->local ? "" : node->address);
      }
      const bool surely_two = computers.size() > 1 && !computers.contains("");
      out.push_back({"name " + name,
                     {Event::Kind::duplicate_node, "",
                      fmt::format("{} nodes are named {}: one {}; give each its own name", end - first, name, places)},
                     surely_two ? Duration{} : until_forgotten});
    }
    first = end;
  }
}

void type_trouble(const GraphEndpoint& ours, const GraphEndpoint& other, std::vector<Trouble>& out) {
  const Duration known = patience(!other.node.empty());
  if (ours.dds_type != other.dds_type) {
    out.push_back(
        {key_of("type", ours, other),
         {Event::Kind::incompatible_type, ours.topic,
          fmt::format("{}: this {} has type {}, the {} {} has {}; they do not connect", ours.topic, role(ours),
                      ros_type_name(ours.dds_type), role(other), owner(other), ros_type_name(other.dds_type))},
         known});
  } else if (!ours.type_hash.empty() && !other.type_hash.empty() && ours.type_hash != other.type_hash) {
    out.push_back(
        {key_of("hash", ours, other),
         {Event::Kind::incompatible_type, ours.topic,
          fmt::format("{}: the {} {} has another definition of {} than this {} ({}, here {}); they connect, but fields "
                      "will be read wrongly",
                      ours.topic, role(other), owner(other), ours.type, role(ours), other.type_hash, ours.type_hash)},
         known});
  }
}

void qos_trouble(const GraphEndpoint& ours, const GraphEndpoint& other, std::vector<Trouble>& out) {
  if (ours.writes == other.writes || ours.dds_type != other.dds_type) return;
  const std::string why = ours.writes
                              ? incompatibility(ours.qos, other.qos, "our publisher", "the subscriber " + owner(other))
                              : incompatibility(other.qos, ours.qos, "the publisher " + owner(other), "our subscriber");
  if (why.empty()) return;
  out.push_back(
      {key_of("qos", ours, other),
       {Event::Kind::incompatible_qos, ours.topic, fmt::format("{}: {}; they do not connect", ours.topic, why)},
       patience(!other.node.empty())});
}

// Where one of ours, on either side, wants the topic to belong to one publisher.
void second_publishers(const std::vector<const GraphEndpoint*>& topic, std::vector<Trouble>& out) {
  const auto owned = std::ranges::find_if(
      topic, [](const auto* each) { return each->local && each->qos.ownership == Ownership::exclusive; });
  if (owned == topic.end()) return;
  std::vector<std::string> writers;
  bool known = true;
  for (const GraphEndpoint* each : topic) {
    if (!each->writes) continue;
    known = known && !each->node.empty();
    writers.push_back(each->node.empty() ? "an unknown node" : each->node);
    if (each->local && !each->node.empty()) writers.back() += " (ours)";
  }
  if (writers.size() < 2) return;
  std::string names = writers.front();
  for (std::size_t i = 1; i < writers.size(); ++i) names += (i + 1 == writers.size() ? " and " : ", ") + writers[i];
  const bool heard_here = !(*owned)->writes;
  out.push_back(
      {fmt::format("publishers {} {}", (*owned)->topic, names),
       {Event::Kind::second_publisher, (*owned)->topic,
        fmt::format("{}: published by {}; {}", (*owned)->topic, names,
                    heard_here ? "only the first one is obeyed, until it is gone" : "subscribers receive both")},
       patience(known)});
}

}  // namespace

std::vector<Trouble> troubles(const Graph& graph) {
  std::vector<Trouble> out;
  duplicate_nodes(graph, out);
  std::map<std::string_view, std::vector<const GraphEndpoint*>> topics;
  for (const GraphEndpoint& endpoint : graph.endpoints) {
    if (!endpoint.topic.empty()) topics[endpoint.dds_topic].push_back(&endpoint);
  }
  for (const auto& [name, endpoints] : topics) {
    for (const GraphEndpoint* ours : endpoints) {
      for (const GraphEndpoint* other : endpoints) {
        if (!ours->local || other->local) continue;
        type_trouble(*ours, *other, out);
        qos_trouble(*ours, *other, out);
      }
    }
    second_publishers(endpoints, out);
  }
  return out;
}

std::vector<Event> GraphWarnings::look(const Graph& graph, Instant now) {
  std::vector<Event> told;
  std::set<std::string> current;
  for (Trouble& trouble : troubles(graph)) {
    current.insert(trouble.key);
    Known& known = known_.try_emplace(trouble.key, Known{now}).first->second;
    if (known.told || now - known.since < trouble.patience) continue;
    known.told = true;
    told.push_back(std::move(trouble.event));
  }
  std::erase_if(known_, [&](const auto& entry) { return !current.contains(entry.first); });
  return told;
}

bool GraphWarnings::waits() const {
  return std::ranges::any_of(known_, [](const auto& entry) { return !entry.second.told; });
}

}  // namespace tandem::ros2
