// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tandem/base/stepped_time.hpp"
#include "tandem/net/acknowledge.hpp"
#include "tandem/net/address.hpp"
#include "tandem/net/resolver.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/system_error.hpp"

namespace tandem::net {

namespace {

// A receive that blocks saves a poll where the answer comes soon. Its time-out counts in ticks of the kernel and may
// come two of them late (10 ms each at most): it is used only where the deadline is further away than that, by a clock
// that is one tick late itself, and the rest of the time is left to poll.
constexpr Duration receive_time = 20ms;
constexpr Duration far_away = 60ms;

// At most one tick behind now(), and much cheaper.
Instant tick() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return Instant(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

void switch_option(int fd, int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); }

// Readable (or writable) by the deadline: true, or false when it passed.
Result<bool> ready(int fd, bool to_write, Instant deadline) {
  Watch watch{.fd = fd, .want_read = !to_write, .want_write = to_write};
  auto count = wait({&watch, 1}, deadline);
  if (!count) return std::move(count).error();
  return *count > 0;
}

void tune(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  switch_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  switch_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000);  // ms
  switch_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 1);         // s
  switch_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);        // s
  switch_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 1);
  switch_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
}

// Clients of other people seldom connect again by themselves: a server bears a gap of some seconds.
void be_patient(int fd) {
  switch_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 15000);  // ms
  switch_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 5);          // s
  switch_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);         // s
  switch_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

// Not tuned yet: the time-out for silent peers would cut a handshake short of its own deadline.
Result<Descriptor> begin_connect(const Endpoint& endpoint, const std::string& where) {
  Descriptor descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor) return connect_error(where, errno);
  const sockaddr_in address = address_of(endpoint);
  // Interrupted or not, the handshake goes on underneath.
  if (::connect(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
      errno != EINPROGRESS && errno != EINTR) {
    return connect_error(where, errno);
  }
  // When no subscriber on a loopback port, TCP may pick that very port as ours and connect us to ourselves.
  if (local_of(descriptor.get()) == endpoint) {
    TcpSocket(std::move(descriptor)).reset();
    return connect_error(where, ECONNREFUSED);
  }
  return descriptor;
}

Result<void> finish_connect(int fd, const std::string& where, Instant deadline) {
  auto writable = ready(fd, true, deadline);
  if (!writable) return std::move(writable).error();
  if (!*writable) {
    return Error{Fault::timeout, fmt::format("connect to {}: no answer before the deadline; is the device on and the "
                                             "address right?",
                                             where)};
  }
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return connect_error(where, error);
  return {};
}

}  // namespace

TcpSocket::TcpSocket(Descriptor connected) : descriptor_(std::move(connected)), peer_(peer_of(descriptor_.get())) {
  if (open()) tune(fd());
}

Result<TcpSocket> TcpSocket::connect(const std::string& host, std::uint16_t port, Instant deadline) {
  auto endpoint = resolve(host, port, deadline);
  if (!endpoint) return std::move(endpoint).error();
  const std::string where = fmt::format("{}:{}", host, port);
  auto descriptor = begin_connect(*endpoint, where);
  if (!descriptor) return std::move(descriptor).error();
  if (auto finished = finish_connect(descriptor->get(), where, deadline); !finished) return std::move(finished).error();
  TcpSocket socket(std::move(*descriptor));
  socket.peer_ = *endpoint;
  return socket;
}

Result<TcpSocket> TcpSocket::start_connect(const Endpoint& endpoint) {
  auto descriptor = begin_connect(endpoint, endpoint.text());
  if (!descriptor) return std::move(descriptor).error();
  TcpSocket socket(std::move(*descriptor));
  socket.peer_ = endpoint;
  return socket;
}

void acknowledge(const TcpSocket& socket) {
  if (socket.open()) switch_option(socket.fd(), IPPROTO_TCP, TCP_QUICKACK, 1);
}

Result<std::size_t> TcpSocket::read_now(std::span<std::uint8_t> into) { return receive(into, MSG_DONTWAIT); }

Result<std::size_t> TcpSocket::receive(std::span<std::uint8_t> into, int flags) {
  if (!open()) return not_open("read from " + peer_.text());
  if (into.empty()) return std::size_t{0};
  const ssize_t count = ::recv(fd(), into.data(), into.size(), flags);
  if (count == 0) {
    tap_.close(Ending::theirs);
    return Error{Fault::closed, fmt::format("{} closed the connection", peer_.text())};
  }
  if (count < 0) {
    const int error = errno;
    // One that a signal interrupted is not begun again: signals could keep it from ever ending.
    if (would_block(error) || error == EINTR) return std::size_t{0};
    tap_.close(Ending::broken);
    return connection_error("read from " + peer_.text(), error);
  }
  const auto size = static_cast<std::size_t>(count);
  pass(Direction::in, into.first(size));
  return size;
}

Result<std::size_t> TcpSocket::write_now(Bytes bytes) {
  if (!open()) return not_open("write to " + peer_.text());
  if (bytes.empty()) return std::size_t{0};
  ssize_t count = 0;
  do {
    count = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    const int error = errno;
    if (would_block(error)) return std::size_t{0};
    tap_.close(Ending::broken);
    return connection_error("write to " + peer_.text(), error);
  }
  const auto size = static_cast<std::size_t>(count);
  pass(Direction::out, bytes.first(size));
  return size;
}

// Only sockets that are read with a deadline are ever switched; every other call says MSG_DONTWAIT.
bool TcpSocket::may_block() {
  if (blocking_) return true;
  const timeval time{.tv_sec = 0, .tv_usec = receive_time / 1us};
  blocking_ = setsockopt(fd(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0 &&
              fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) & ~O_NONBLOCK) == 0;
  return blocking_;
}

Result<std::size_t> TcpSocket::read_until(std::span<std::uint8_t> into, Instant deadline) {
  if (!open() || into.empty()) return read_now(into);
  if (!SteppedTime::active() && deadline > tick() + far_away && may_block()) {
    auto count = receive(into, 0);
    if (!count || *count > 0) return count;
  } else if (deadline <= now()) {
    return read_now(into);
  }
  while (true) {
    auto readable = ready(fd(), false, deadline);
    if (!readable) return std::move(readable).error();
    if (!*readable) return std::size_t{0};
    auto count = read_now(into);
    if (!count || *count > 0) return count;
  }
}

Result<std::size_t> TcpSocket::read_some(std::span<std::uint8_t> into, Instant deadline) {
  auto count = read_until(into, deadline);
  if (!count || *count > 0 || into.empty()) return count;
  return Error{Fault::timeout, fmt::format("read from {}: no data before the deadline", peer_.text())};
}

Result<void> TcpSocket::read_exact(std::span<std::uint8_t> into, Instant deadline) {
  std::size_t done = 0;
  while (done < into.size()) {
    auto count = read_some(into.subspan(done), deadline);
    if (!count) {
      Error error = std::move(count).error();
      if (done > 0) error.text += fmt::format(" ({} of {} bytes received)", done, into.size());
      return error;
    }
    done += *count;
  }
  return {};
}

Result<void> TcpSocket::write_all(Bytes bytes, Instant deadline) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    auto count = write_now(bytes.subspan(done));
    if (!count) return std::move(count).error();
    done += *count;
    if (*count > 0) continue;
    auto writable = ready(fd(), true, deadline);
    if (!writable) return std::move(writable).error();
    if (!*writable) {
      return Error{Fault::timeout, fmt::format("write to {}: the peer accepted {} of {} bytes before the deadline",
                                               peer_.text(), done, bytes.size())};
    }
  }
  return {};
}

void TcpSocket::tap(Tap* tap) {
  const bool connected = open() && peer_of(fd()).port != 0;
  starting_ = connected ? nullptr : tap;
  tap_.open(connected ? tap : nullptr, {.peer = peer_, .local = local()});
}

void TcpSocket::pass(Direction direction, Bytes bytes) {
  if (starting_ != nullptr) tap_.open(std::exchange(starting_, nullptr), {.peer = peer_, .local = local()});
  tap_.pass(direction, bytes);
}

void TcpSocket::close() {
  starting_ = nullptr;
  tap_.close(Ending::ours);
  descriptor_.reset();
}

Endpoint TcpSocket::local() const { return local_of(fd()); }

void TcpSocket::shutdown_write() {
  if (open()) ::shutdown(fd(), SHUT_WR);
}

void TcpSocket::outlast_silence() {
  switch_option(fd(), SOL_SOCKET, SO_KEEPALIVE, 0);
  switch_option(fd(), IPPROTO_TCP, TCP_USER_TIMEOUT, 0);
}

void TcpSocket::reset() {
  if (!open()) return;
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

Result<TcpListener> TcpListener::listen(const std::string& host, std::uint16_t port) {
  auto endpoint = resolve(host, port);
  if (!endpoint) return std::move(endpoint).error();

  TcpListener listener;
  listener.descriptor_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!listener.descriptor_) return bind_error("TCP", host, port, errno);
  // A restarted device gets its port back although old connections are still in TIME_WAIT.
  switch_option(listener.fd(), SOL_SOCKET, SO_REUSEADDR, 1);
  const sockaddr_in address = address_of(*endpoint);
  if (::bind(listener.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener.fd(), SOMAXCONN) != 0) {
    return bind_error("TCP", host, port, errno);
  }
  listener.spare_ = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return listener;
}

Result<TcpSocket> TcpListener::accept(Instant deadline) {
  if (!open()) return not_open("accept");
  while (true) {
    // Asked first, since a process without descriptors gets EMFILE even when no one waits at the door.
    auto readable = ready(fd(), false, deadline);
    if (!readable) return std::move(readable).error();
    if (!*readable) {
      return Error{Fault::timeout, fmt::format("accept on {}: no client before the deadline", local().text())};
    }
    Descriptor caller(::accept4(fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (caller) {
      TcpSocket socket(std::move(caller));
      be_patient(socket.fd());
      return socket;
    }

    const int error = errno;
    // A caller who gave up while waiting at the door is the caller's affair.
    if (would_block(error) || error == EINTR || error == ECONNABORTED || error == EPROTO) continue;
    if (error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM) return turned_away(error);
    return connection_error("accept on " + local().text(), error);
  }
}

Error TcpListener::turned_away(int error) {
  spare_.reset();
  Descriptor caller(::accept4(fd(), nullptr, nullptr, SOCK_CLOEXEC));
  Error told = connection_error("accept on " + local().text(), error);
  if (caller) {
    told.text += fmt::format("; turned away {}", peer_of(caller.get()).text());
  } else {
    // The caller is still at the door and a poll would report him at once again: the only wait here that no
    // deadline bounds.
    system_clock().sleep_until(now() + 10ms);
  }
  caller.reset();
  spare_ = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return told;
}

Endpoint TcpListener::local() const { return local_of(fd()); }

}  // namespace tandem::net
