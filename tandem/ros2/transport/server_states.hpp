// SPDX-License-Identifier: Apache-2.0
// Which discovery servers are there, as Fast DDS tells, and since when.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "tandem/ros2/discovery_servers.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

// Any thread.
class ServerStates {
 public:
  // Searched for from now on.
  void begin(const std::vector<DiscoveryServer>& servers, Instant now);
  void set_resolved(int id, bool resolved);
  // Whether the participant is a server; if it is, notes that it is there, or no more.
  bool note(const Gid& participant, bool is_there, Instant now);
  std::vector<ServerState> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<ServerState> states_;
};

}  // namespace tandem::ros2
