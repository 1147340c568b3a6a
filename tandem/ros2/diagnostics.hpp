// SPDX-License-Identifier: Apache-2.0
// Reports /diagnostics once a second how everything is.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

// Asks `statuses` from a thread of its own, so that a machine's cycle never waits for it.
class Diagnostics {
 public:
  using Statuses = std::function<std::vector<diagnostic_msgs::DiagnosticStatus>()>;

  Diagnostics(Node& node, const Clock& clock, Statuses statuses, Duration period = 1s);

 private:
  void run(const std::stop_token& stop);

  Publisher<diagnostic_msgs::DiagnosticArray> publisher_;
  const Clock& clock_;
  Statuses statuses_;
  Duration period_;  // of the real clock
  std::mutex mutex_;
  std::condition_variable_any signal_;
  std::jthread thread_;  // last: ends before the rest
};

}  // namespace tandem::ros2
