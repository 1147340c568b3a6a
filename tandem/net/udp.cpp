// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>

#include "tandem/net/address.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/system_error.hpp"

namespace tandem::net {

Result<UdpSocket> UdpSocket::bind(const std::string& host, std::uint16_t port) {
  auto endpoint = resolve(host, port);
  if (!endpoint) return std::move(endpoint).error();

  UdpSocket socket;
  socket.descriptor_ = Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.descriptor_) return bind_error("UDP", host, port, errno);
  const int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_BROADCAST, &on, sizeof on);  // devices are searched by broadcast
  const sockaddr_in address = address_of(*endpoint);
  if (::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return bind_error("UDP", host, port, errno);
  }
  return socket;
}

Result<UdpSocket::Datagram> UdpSocket::receive(std::span<std::uint8_t> into, Instant deadline) {
  if (!open()) return not_open("receive");
  while (true) {
    sockaddr_in from{};
    socklen_t from_size = sizeof from;
    const ssize_t count =
        ::recvfrom(fd(), into.data(), into.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&from), &from_size);
    if (count >= 0) {
      const Datagram datagram{endpoint_of(from), static_cast<std::size_t>(count)};
      if (datagram.size > into.size()) {
        return Error{Fault::invalid, fmt::format("datagram of {} bytes from {} is longer than the {} expected at most",
                                                 datagram.size, datagram.from.text(), into.size())};
      }
      tap_.pass(Direction::in, into.first(datagram.size), datagram.from);
      return datagram;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return connection_error("receive on " + local().text(), errno);

    Watch watch{.fd = fd()};
    auto ready = wait({&watch, 1}, deadline);
    if (!ready) return std::move(ready).error();
    if (*ready == 0) {
      return Error{Fault::timeout, fmt::format("receive on {}: no data before the deadline", local().text())};
    }
  }
}

Result<void> UdpSocket::send(Bytes bytes, const Endpoint& to) {
  if (!open()) return not_open("send to " + to.text());
  const sockaddr_in address = address_of(to);
  ssize_t count = 0;
  do {
    count = ::sendto(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
                     sizeof address);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return Error{Fault::busy, fmt::format("send to {}: the send buffer is full", to.text())};
    }
    if (errno == EMSGSIZE) {
      return Error{Fault::invalid,
                   fmt::format("send to {}: {} bytes do not fit in one datagram", to.text(), bytes.size())};
    }
    return connection_error("send to " + to.text(), errno);
  }
  tap_.pass(Direction::out, bytes, to);
  return {};
}

void UdpSocket::tap(Tap* tap) {
  if (open()) tap_.open(tap, {.datagram = true, .local = local()});
}

void UdpSocket::close() {
  tap_.close(Ending::ours);
  descriptor_.reset();
}

Endpoint UdpSocket::local() const { return local_of(fd()); }

}  // namespace tandem::net
