// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/endpoint_counts.hpp"

#include <algorithm>

namespace tandem::ros2 {
namespace {

ParticipantPrefix prefix_in(const Gid& gid) {
  ParticipantPrefix prefix{};
  std::copy_n(gid.begin(), prefix.size(), prefix.begin());
  return prefix;
}

Entity entity_in(const Gid& gid) { return {gid[12], gid[13], gid[14], gid[15]}; }

}  // namespace

void EndpointCounts::add(const Gid& endpoint) {
  const std::lock_guard lock(mutex_);
  count_ += endpoints_[prefix_in(endpoint)].insert(entity_in(endpoint)).second ? 1 : 0;
}

void EndpointCounts::remove(const Gid& endpoint) {
  const std::lock_guard lock(mutex_);
  const auto found = endpoints_.find(prefix_in(endpoint));
  if (found == endpoints_.end()) return;
  count_ -= found->second.erase(entity_in(endpoint));
  if (found->second.empty()) endpoints_.erase(found);
}

void EndpointCounts::forget(const Gid& participant) {
  const std::lock_guard lock(mutex_);
  if (const auto gone = endpoints_.extract(prefix_in(participant))) count_ -= gone.mapped().size();
}

void EndpointCounts::clear() {
  const std::lock_guard lock(mutex_);
  endpoints_.clear();
  count_ = 0;
}

std::size_t EndpointCounts::all() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::size_t EndpointCounts::of(const std::vector<ParticipantPrefix>& participants) const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const ParticipantPrefix& each : participants) {
    const auto found = endpoints_.find(each);
    if (found != endpoints_.end()) count += found->second.size();
  }
  return count;
}

}  // namespace tandem::ros2
