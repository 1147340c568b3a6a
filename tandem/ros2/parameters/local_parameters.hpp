// SPDX-License-Identifier: Apache-2.0
// The parameters of all nodes of a context, for the part of the process that serves them.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/ros2/parameters/store.hpp"

namespace tandem::ros2 {

// Any thread.
class LocalParameters {
 public:
  void add(const std::string& node, ParameterStore& store) {
    const std::lock_guard lock(mutex_);
    stores_.push_back({node, &store});
  }
  // Not from within each().
  void remove(const ParameterStore& store) {
    const std::lock_guard lock(mutex_);
    std::erase_if(stores_, [&](const Entry& entry) { return entry.store == &store; });
  }
  // With the full name of each node, in order of their making. A node that ends meanwhile waits for the call.
  void each(const std::function<void(const std::string& node, ParameterStore& store)>& call) const {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : stores_) call(entry.node, *entry.store);
  }

 private:
  struct Entry {
    std::string node;
    ParameterStore* store;
  };
  mutable std::mutex mutex_;
  std::vector<Entry> stores_;
};

}  // namespace tandem::ros2
