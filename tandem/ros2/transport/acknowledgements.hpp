// SPDX-License-Identifier: Apache-2.0
// Which readers elsewhere have acknowledged a heartbeat of a writer here, as the transport sees it go by. Matching says
// that we know of them; only this says that they hear us.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

// Any thread.
class Acknowledgements {
 public:
  // `listener` runs after each reader that is new to the writer, until the writer is dismissed; it calls nothing of
  // this.
  void enroll(const Gid& writer, std::function<void()> listener);
  void dismiss(const Gid& writer);

  void add(const Gid& writer, const Gid& reader);
  void forget(const Gid& writer, const Gid& reader);
  bool contains(const Gid& writer, const Gid& reader) const;

 private:
  struct Enrolled {
    std::function<void()> listener;
    std::set<Gid> readers;
  };

  mutable std::mutex mutex_;
  std::map<Gid, Enrolled> enrolled_;    // by writer
  std::map<Gid, std::set<Gid>> early_;  // readers of writers that may be enrolled later
  std::size_t early_count_ = 0;         // of them
};

}  // namespace tandem::ros2
