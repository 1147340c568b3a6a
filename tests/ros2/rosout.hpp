// SPDX-License-Identifier: Apache-2.0
// Hears /rosout as a person would: every line of every node.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

class Rosout {
 public:
  explicit Rosout(Node& node)
      : subscription_(node.subscribe<rcl_interfaces::Log>("/rosout", Qos::rosout(),
                                                          [this](const rcl_interfaces::Log& log, const MessageInfo&) {
                                                            const std::lock_guard lock(mutex_);
                                                            lines_.push_back(log.msg);
                                                          })) {}
  // How many lines have this in them.
  long count(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::count_if(lines_, [&](const std::string& line) { return line.find(part) != line.npos; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;  // guarded
  Subscription subscription_;
};

}  // namespace tandem::ros2
