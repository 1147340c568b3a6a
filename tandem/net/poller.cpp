// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/poller.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "tandem/base/stepped_time.hpp"

namespace tandem::net {

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw std::system_error(errno, std::generic_category(), "epoll_create1");
}

bool Poller::add(int fd, void* key, bool read, bool write) {
  epoll_event event{};
  event.events = (read ? EPOLLIN : 0u) | (write ? EPOLLOUT : 0u);
  event.data.ptr = key;
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Poller::remove(int fd) { (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

// Nanoseconds, so that a turn that is a fraction of a millisecond away is neither late nor spun for.
std::span<void* const> Poller::wait(Instant deadline) {
  if (SteppedTime::active()) {
    pollfd watched{.fd = epoll_.get(), .events = POLLIN, .revents = 0};
    (void)SteppedTime::wait({&watched, 1}, deadline);
    deadline = {};
  }
  const Duration left = std::max<Duration>(deadline - now(), Duration{0});
  const auto whole = std::chrono::floor<std::chrono::seconds>(left);
  const timespec limit{.tv_sec = whole.count(), .tv_nsec = static_cast<long>((left - whole).count())};
  std::array<epoll_event, most> events;
  const int count = ::epoll_pwait2(epoll_.get(), events.data(), static_cast<int>(events.size()), &limit, nullptr);
  for (int i = 0; i < count; ++i) ready_[static_cast<std::size_t>(i)] = events[static_cast<std::size_t>(i)].data.ptr;
  return {ready_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

}  // namespace tandem::net
