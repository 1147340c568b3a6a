// SPDX-License-Identifier: Apache-2.0
// Keeps the graph: told by discovery what comes and goes, answers with a snapshot. Any thread; never calls out.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "tandem/ros2/calls/service_wire.hpp"
#include "tandem/ros2/graph/discovery_info.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

class GraphState {
 public:
  // The participant's own nodes and endpoints.
  int add_node(std::string name, std::string name_space);
  void remove_node(int id);
  void add_local(int node, GraphEndpoint endpoint);
  void remove_local(const Gid& gid);

  // What discovery reports of others. A graph writer without a type hash is Humble's; one of another Tandem that
  // follows its peers, as we do, counts for neither side.
  enum class Speaks { neither, humble, jazzy };
  void add_remote(GraphEndpoint endpoint, Speaks speaks);
  void remove_remote(const Gid& gid);
  void add_participant(const Gid& participant, std::string address, int domain, Dialect dialect);
  void remove_participant(const Gid& participant);
  void forget_remote();
  void take_info(DiscoveryInfo info);
  // Its node had listed the endpoint and does so no more. Fast DDS does not understand when Cyclone DDS takes back an
  // endpoint, and keeps it until the whole process is gone.
  bool is_gone(const Gid& gid) const;
  // How the endpoint's process speaks of services, if discovery has reported it.
  std::optional<Dialect> dialect_of(const Gid& endpoint) const;

  bool peers_speak_humble() const;
  DiscoveryInfo own_info(const Gid& participant) const;
  Graph snapshot() const;
  // The others' endpoints on a DDS topic that write, or read, with their nodes.
  std::vector<GraphEndpoint> remote_on(const std::string& dds_topic, bool writes) const;
  // Full name of the node that has the endpoint, and the mark of the client it is part of; "" if unknown.
  std::string node_of(const Gid& gid) const;
  std::string client_id_of(const Gid& gid) const;

 private:
  struct Peer {
    std::string address;
    int domain = -1;
    Dialect dialect{};
  };
  std::map<Gid, std::string> node_names() const;

  mutable std::mutex mutex_;
  int last_node_ = 0;
  std::map<int, GraphNode> nodes_;
  std::map<Gid, GraphEndpoint> local_;
  std::map<Gid, GraphEndpoint> remote_;
  std::map<Gid, Peer> peers_;                           // by participant
  std::map<Gid, Speaks> speaks_;                        // by graph writer
  std::map<Gid, std::vector<GraphNode>> remote_nodes_;  // by participant
  std::map<Gid, bool> gone_;                            // endpoints that were listed: whether no more
};

}  // namespace tandem::ros2
