// SPDX-License-Identifier: Apache-2.0
// A blocking TCP socket with one timeout, as a loop without a library would use it: the floor of a field protocol.
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "bench/cycles.hpp"

namespace bench {

class BareSocket {
 public:
  explicit BareSocket(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const timeval time{.tv_sec = 0, .tv_usec = 500'000};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) give_up("connect failed");
  }
  ~BareSocket() { ::close(fd_); }
  BareSocket(const BareSocket&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace bench
