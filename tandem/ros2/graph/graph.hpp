// SPDX-License-Identifier: Apache-2.0
// The ROS graph as one process sees it: nodes, and the endpoints that they read and write.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tandem/ros2/qos.hpp"

namespace tandem::ros2 {

using Gid = std::array<std::uint8_t, 16>;  // a DDS GUID: 12 bytes of participant, 4 of entity

inline bool same_participant(const Gid& a, const Gid& b) { return std::equal(a.begin(), a.begin() + 12, b.begin()); }

struct GraphEndpoint {
  Gid gid{};
  bool writes = false;  // a publisher; else a subscription
  bool local = false;
  std::string topic;      // "/chatter"; empty when it is no ROS topic
  std::string type;       // "std_msgs/msg/String"; empty when it is no ROS type
  std::string dds_topic;  // "rt/chatter"
  std::string dds_type;   // "std_msgs::msg::dds_::String_"
  std::string type_hash;  // "RIHS01_..."; empty when the peer gives none (Humble)
  std::string client_id;  // ties the two endpoints of a service client together, if it gives one
  std::string node;       // full name of its node, "/lab/talker"; empty while that is not known
  Qos qos;                // reliability, durability, deadline and lifespan; discovery does not report the history
};

struct GraphNode {
  std::string name;        // "talker"
  std::string name_space;  // "/", "/lab"
  bool local = false;
  std::string address;  // of its process, "192.168.1.7"; empty for a local one and while that is not known
  Gid participant{};
  std::vector<Gid> readers;
  std::vector<Gid> writers;
  int domain = -1;  // as the ports of its process say; -1 for a local one and while that is not known

  std::string full_name() const { return (name_space == "/" ? "" : name_space) + "/" + name; }
};

struct Graph {
  std::vector<GraphNode> nodes;          // by full name
  std::vector<GraphEndpoint> endpoints;  // by topic

  const GraphNode* node(const std::string& full_name) const;
  // How many endpoints on the topic write, or read.
  std::size_t count(const std::string& topic, bool writes) const;
};

// Of a subscription that receives all these publishers: reliable where all of them are, else best effort; also what is
// kept for late comers.
Qos matching_qos(const std::vector<const GraphEndpoint*>& publishers);

}  // namespace tandem::ros2
