// SPDX-License-Identifier: Apache-2.0
// What the tests on loopback share: a domain of their own, and waiting with a generous deadline.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

// Claims the domain among all tests of this machine, until this process ends: an abstract socket of that name can be
// bound once in a network namespace.
inline bool claim_domain(int domain) {
  const std::string name = "tandem-test-domain-" + std::to_string(domain);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0) return true;
  close(descriptor);
  return false;
}

inline ContextOptions loopback_options() {
  constexpr int last = 90;  // the next ones are those of tests that start whole programs: see tests/peers
  const int start = static_cast<int>(getpid()) * 7;
  for (int i = 0; i < last; ++i) {
    ContextOptions options;
    options.domain = 1 + (start + i) % last;
    if (claim_domain(options.domain)) return options;
  }
  throw std::runtime_error("all domains of tests are taken");
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
