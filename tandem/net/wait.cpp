// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "tandem/base/stepped_time.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/system_error.hpp"

namespace tandem::net {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Descriptor::reset() {
  if (const int fd = release(); fd >= 0) ::close(fd);
}

namespace {

// Nanoseconds, so that there is no rounding down to a poll that returns early and spins.
timespec time_left(Instant deadline) {
  const Instant now = tandem::now();
  if (deadline <= now) return {};
  const Duration left = deadline - now;
  const auto whole = std::chrono::floor<std::chrono::seconds>(left);
  return {.tv_sec = whole.count(), .tv_nsec = static_cast<long>((left - whole).count())};
}

}  // namespace

Result<std::size_t> wait(std::span<Watch> watches, Instant deadline) {
  // Kept between calls, so that a warm loop does not allocate.
  thread_local std::vector<pollfd> polled;
  polled.clear();
  for (Watch& watch : watches) {
    watch.ready_read = watch.ready_write = false;
    const int events = (watch.want_read ? POLLIN : 0) | (watch.want_write ? POLLOUT : 0);
    // Poll reports of a hang-up even when nothing was asked; a watch that wants nothing must not wake anyone.
    polled.push_back({.fd = events != 0 ? watch.fd : -1, .events = static_cast<short>(events), .revents = 0});
  }

  int ready = 0;
  do {
    if (SteppedTime::active()) {
      ready = SteppedTime::wait(polled, deadline);
    } else {
      const timespec left = time_left(deadline);
      ready = ppoll(polled.data(), polled.size(), &left, nullptr);
    }
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return connection_error("wait for sockets", errno);

  for (std::size_t i = 0; i < watches.size(); ++i) {
    const int seen = polled[i].revents;
    const bool broken = (seen & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    watches[i].ready_read = watches[i].want_read && ((seen & POLLIN) != 0 || broken);
    watches[i].ready_write = watches[i].want_write && ((seen & POLLOUT) != 0 || broken);
  }
  return static_cast<std::size_t>(ready);
}

}  // namespace tandem::net
