// SPDX-License-Identifier: Apache-2.0
// Wakes a thread that waits for sockets.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace tandem::net {

// Rung from any thread; never blocks. Without descriptors (EMFILE) it stays silent, and anyone who waits sleeps to the
// end of its time.
class Bell {
 public:
  Bell() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~Bell() {
    if (fd_ >= 0) close(fd_);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void ring() const {
    const std::uint64_t one = 1;
    if (fd_ >= 0) static_cast<void>(!write(fd_, &one, sizeof one));  // full: it rings already
  }
  void silence() const {
    std::uint64_t rung = 0;
    if (fd_ >= 0) static_cast<void>(!read(fd_, &rung, sizeof rung));
  }
  int fd() const { return fd_; }  // readable when it was rung; -1 when there is none

 private:
  int fd_;
};

}  // namespace tandem::net
