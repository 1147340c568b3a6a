// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/graph_state.hpp"

#include <algorithm>

namespace tandem::ros2 {
namespace {

constexpr std::size_t most_listed = 20'000;  // endpoints whose going is remembered

// A participant's GUID differs from those of its endpoints in the last four bytes only.
template <typename Map>
void erase_participant(Map& map, const Gid& participant) {
  std::erase_if(map, [&](const auto& entry) { return same_participant(entry.first, participant); });
}

// Nothing of its participant sorts before it.
Gid first_of_participant(Gid gid) {
  std::fill(gid.begin() + 12, gid.end(), std::uint8_t{0});
  return gid;
}

}  // namespace

const GraphNode* Graph::node(const std::string& full_name) const {
  const auto found = std::ranges::find_if(nodes, [&](const GraphNode& node) { return node.full_name() == full_name; });
  return found == nodes.end() ? nullptr : &*found;
}

std::size_t Graph::count(const std::string& topic, bool writes) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      endpoints, [&](const GraphEndpoint& endpoint) { return endpoint.topic == topic && endpoint.writes == writes; }));
}

Qos matching_qos(const std::vector<const GraphEndpoint*>& publishers) {
  const auto all = [&](auto test) { return !publishers.empty() && std::ranges::all_of(publishers, test); };
  Qos qos;
  qos.reliability = all([](const auto* each) { return each->qos.reliability == Reliability::reliable; })
                        ? Reliability::reliable
                        : Reliability::best_effort;
  qos.durability = all([](const auto* each) { return each->qos.durability == Durability::transient_local; })
                       ? Durability::transient_local
                       : Durability::is_volatile;
  return qos;
}

int GraphState::add_node(std::string name, std::string name_space) {
  const std::lock_guard lock(mutex_);
  GraphNode& node = nodes_[++last_node_];
  node.name = std::move(name);
  node.name_space = std::move(name_space);
  node.local = true;
  return last_node_;
}

void GraphState::remove_node(int id) {
  const std::lock_guard lock(mutex_);
  nodes_.erase(id);
}

void GraphState::add_local(int node, GraphEndpoint endpoint) {
  const std::lock_guard lock(mutex_);
  endpoint.local = true;
  if (const auto found = nodes_.find(node); found != nodes_.end()) {
    (endpoint.writes ? found->second.writers : found->second.readers).push_back(endpoint.gid);
  }
  local_[endpoint.gid] = std::move(endpoint);
}

void GraphState::remove_local(const Gid& gid) {
  const std::lock_guard lock(mutex_);
  local_.erase(gid);
  for (auto& [id, node] : nodes_) {
    std::erase(node.writers, gid);
    std::erase(node.readers, gid);
  }
}

void GraphState::add_remote(GraphEndpoint endpoint, Speaks speaks) {
  const std::lock_guard lock(mutex_);
  if (speaks != Speaks::neither) speaks_[endpoint.gid] = speaks;
  remote_[endpoint.gid] = std::move(endpoint);
}

void GraphState::remove_remote(const Gid& gid) {
  const std::lock_guard lock(mutex_);
  remote_.erase(gid);
  speaks_.erase(gid);
  gone_.erase(gid);
}

void GraphState::add_participant(const Gid& participant, std::string address, int domain, Dialect dialect) {
  const std::lock_guard lock(mutex_);
  peers_[participant] = {std::move(address), domain, dialect};
}

void GraphState::remove_participant(const Gid& participant) {
  const std::lock_guard lock(mutex_);
  erase_participant(peers_, participant);
  erase_participant(remote_, participant);
  erase_participant(speaks_, participant);
  erase_participant(remote_nodes_, participant);
  erase_participant(gone_, participant);
}

void GraphState::forget_remote() {
  const std::lock_guard lock(mutex_);
  peers_.clear();
  remote_.clear();
  speaks_.clear();
  remote_nodes_.clear();
  gone_.clear();
}

void GraphState::take_info(DiscoveryInfo info) {
  const std::lock_guard lock(mutex_);
  for (auto& [gid, gone] : gone_) gone = gone || same_participant(gid, info.participant);
  for (const GraphNode& node : info.nodes) {
    for (const auto* gids : {&node.readers, &node.writers}) {
      for (const Gid& gid : *gids) {
        if (same_participant(gid, info.participant)) gone_[gid] = false;
      }
    }
  }
  for (const auto& [gid, gone] : gone_) {
    if (gone) remote_.erase(gid);
  }
  if (gone_.size() > most_listed) std::erase_if(gone_, [](const auto& entry) { return entry.second; });
  if (info.nodes.empty()) {
    remote_nodes_.erase(info.participant);
  } else {
    remote_nodes_[info.participant] = std::move(info.nodes);
  }
}

bool GraphState::is_gone(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  const auto found = gone_.find(gid);
  return found != gone_.end() && found->second;
}

std::optional<Dialect> GraphState::dialect_of(const Gid& endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto found = peers_.lower_bound(first_of_participant(endpoint));
  if (found == peers_.end() || !same_participant(found->first, endpoint)) return std::nullopt;
  return found->second.dialect;
}

bool GraphState::peers_speak_humble() const {
  const std::lock_guard lock(mutex_);
  const auto any = [&](Speaks speaks) {
    return std::ranges::any_of(speaks_, [&](const auto& entry) { return entry.second == speaks; });
  };
  return any(Speaks::humble) && !any(Speaks::jazzy);
}

DiscoveryInfo GraphState::own_info(const Gid& participant) const {
  const std::lock_guard lock(mutex_);
  DiscoveryInfo info{participant, {}};
  for (const auto& [id, node] : nodes_) info.nodes.push_back(node);
  return info;
}

std::map<Gid, std::string> GraphState::node_names() const {
  std::map<Gid, std::string> names;
  const auto add = [&](const GraphNode& node) {
    for (const Gid& gid : node.writers) names[gid] = node.full_name();
    for (const Gid& gid : node.readers) names[gid] = node.full_name();
  };
  for (const auto& [id, node] : nodes_) add(node);
  for (const auto& [participant, nodes] : remote_nodes_) std::ranges::for_each(nodes, add);
  return names;
}

Graph GraphState::snapshot() const {
  const std::lock_guard lock(mutex_);
  Graph graph;
  for (const auto& [id, node] : nodes_) graph.nodes.push_back(node);
  for (const auto& [participant, nodes] : remote_nodes_) {
    const auto peer = peers_.find(participant);
    for (const GraphNode& node : nodes) {
      graph.nodes.push_back(node);
      if (peer == peers_.end()) continue;
      graph.nodes.back().address = peer->second.address;
      graph.nodes.back().domain = peer->second.domain;
    }
  }
  const std::map<Gid, std::string> names = node_names();
  for (const auto* endpoints : {&local_, &remote_}) {
    for (const auto& [gid, endpoint] : *endpoints) {
      graph.endpoints.push_back(endpoint);
      if (const auto name = names.find(gid); name != names.end()) graph.endpoints.back().node = name->second;
    }
  }
  std::ranges::stable_sort(graph.nodes, {}, &GraphNode::full_name);
  std::ranges::stable_sort(graph.endpoints, {}, &GraphEndpoint::dds_topic);
  return graph;
}

std::vector<GraphEndpoint> GraphState::remote_on(const std::string& dds_topic, bool writes) const {
  const std::lock_guard lock(mutex_);
  const std::map<Gid, std::string> names = node_names();
  std::vector<GraphEndpoint> found;
  for (const auto& [gid, endpoint] : remote_) {
    if (endpoint.dds_topic != dds_topic || endpoint.writes != writes) continue;
    found.push_back(endpoint);
    if (const auto name = names.find(gid); name != names.end()) found.back().node = name->second;
  }
  return found;
}

std::string GraphState::node_of(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  const std::map<Gid, std::string> names = node_names();
  const auto found = names.find(gid);
  return found == names.end() ? "" : found->second;
}

std::string GraphState::client_id_of(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  const auto found = remote_.find(gid);
  return found == remote_.end() ? "" : found->second.client_id;
}

}  // namespace tandem::ros2
