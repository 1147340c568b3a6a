// SPDX-License-Identifier: Apache-2.0
// How many readers and writers Fast DDS keeps of participants elsewhere, as its listener tells. It takes 3.3 kB for
// each and has no limit of its own.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

// Any thread.
class EndpointCounts {
 public:
  void add(const Gid& endpoint);
  void remove(const Gid& endpoint);
  void forget(const Gid& participant);  // with all of its endpoints
  void clear();

  std::size_t all() const;
  std::size_t of(const std::vector<ParticipantPrefix>& participants) const;

 private:
  mutable std::mutex mutex_;
  std::map<ParticipantPrefix, std::set<Entity>> endpoints_;
  std::size_t count_ = 0;
};

}  // namespace tandem::ros2
