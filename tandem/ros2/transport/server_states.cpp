// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/server_states.hpp"

#include <algorithm>

namespace tandem::ros2 {

void ServerStates::begin(const std::vector<DiscoveryServer>& servers, Instant now) {
  const std::lock_guard lock(mutex_);
  states_.clear();
  for (const DiscoveryServer& server : servers) states_.push_back({server, ServerState::Kind::searching, now});
}

void ServerStates::set_resolved(int id, bool resolved) {
  const std::lock_guard lock(mutex_);
  for (ServerState& each : states_) {
    if (each.server.id == id) each.is_resolved = resolved;
  }
}

bool ServerStates::note(const Gid& participant, bool is_there, Instant now) {
  const std::lock_guard lock(mutex_);
  for (ServerState& each : states_) {
    const auto prefix = server_prefix(each.server.id);
    if (!std::equal(prefix.begin(), prefix.end(), participant.begin())) continue;
    const auto kind = is_there ? ServerState::Kind::connected : ServerState::Kind::lost;
    if (each.kind == kind) return true;
    each.kind = kind;
    each.since = now;
    return true;
  }
  return false;
}

std::vector<ServerState> ServerStates::all() const {
  const std::lock_guard lock(mutex_);
  return states_;
}

}  // namespace tandem::ros2
