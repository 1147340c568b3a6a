// What the tests on loopback share: a domain of their own, and waiting with a generous deadline.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

// Another domain for every test of every process that runs at the same time, more or less.
inline ContextOptions loopback_options() {
  static std::atomic<int> next = 0;
  ContextOptions options;
  options.domain = 1 + (static_cast<int>(getpid()) * 7 + next++) % 101;
  return options;
}

template <typename Condition>
bool eventually(Condition condition, Duration deadline = 20s) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

}  // namespace tandem::ros2
