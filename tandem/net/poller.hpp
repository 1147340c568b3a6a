// SPDX-License-Identifier: Apache-2.0
// Waits for many sockets at once, however many there are: what it costs depends on those that are ready.
#pragma once

#include <array>
#include <span>

#include "tandem/net/socket.hpp"

namespace tandem::net {

// For one thread. A descriptor leaves before it is closed.
class Poller {
 public:
  Poller();  // throws std::system_error when the system has no descriptor left

  // `key` is what wait() gives when it is readable or, where asked, writable; always when it is closed or broken. False
  // when the system has no room for it.
  [[nodiscard]] bool add(int fd, void* key, bool read = true, bool write = false);
  void remove(int fd);

  // The keys of those that are ready, at most 64 of them; none when the deadline passes. Valid until the next call.
  std::span<void* const> wait(Instant deadline);

 private:
  static constexpr std::size_t most = 64;
  Descriptor epoll_;
  std::array<void*, most> ready_{};
};

}  // namespace tandem::net
