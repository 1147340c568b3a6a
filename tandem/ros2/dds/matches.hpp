// SPDX-License-Identifier: Apache-2.0
// Who is at the other end of an endpoint.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

// Any thread. While an endpoint is recreated there are two of it, so each match says whose it is.
class Matches {
 public:
  void take(const void* endpoint, const Gid& gid, bool matched);
  std::size_t count() const { return count_; }
  std::size_t count_of(const void* endpoint) const;
  bool contains(const Gid& gid) const { return since(gid).has_value(); }
  std::optional<Instant> since(const Gid& gid) const;
  std::vector<Gid> all() const;
  void forget(const void* endpoint);

 private:
  mutable std::mutex mutex_;
  struct Match {
    const void* endpoint = nullptr;
    Gid gid{};
    Instant since{};
  };
  std::vector<Match> matches_;  // oldest first
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace tandem::ros2
