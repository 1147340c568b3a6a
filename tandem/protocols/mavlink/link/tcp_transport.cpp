// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "tandem/protocols/mavlink/link/stream_port.hpp"
#include "tandem/protocols/mavlink/link/transport.hpp"

namespace tandem::mavlink {
namespace {

using TcpPort = StreamPort<net::TcpSocket>;

bool tcp_ready(int fd) {
  net::Watch watch{.fd = fd};
  const auto ready = net::wait({&watch, 1}, Instant{});
  return ready && *ready > 0;
}

// True once the other end has answered.
bool tcp_connected(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
}

class TcpTransport final : public Transport {
 public:
  TcpTransport(const net::Endpoint& to, net::Tap* tap) : to_(to), tap_(tap) {}

  void tend(Instant now) override {
    if (!port_) {
      if (!retry_.due(now)) return;
      auto socket = net::TcpSocket::start_connect(to_);
      if (!socket) return lose(socket.error().text, now);
      socket->tap(tap_);
      port_.emplace(std::move(*socket));
      started_ = now;
    }
    if (!connected_) {
      if (!tcp_connected(port_->socket().fd())) {
        if (now - started_ > 1s) lose(to_.text() + ": no answer within a second", now);
        return;
      }
      connected_ = true;
      fresh_ = true;
      ++connections_;
      retry_.worked();
    }
    if (auto flushed = port_->flush(); !flushed) lose(flushed.error().text, now);
  }

  std::optional<Piece> read(std::span<std::uint8_t> into, Instant now) override {
    if (!port_) return std::nullopt;
    auto count = port_->socket().read_now(into);
    if (!count) {
      lose(count.error().text, now);
      return std::nullopt;
    }
    if (*count == 0) return std::nullopt;
    return Piece{*count, 0, false, std::exchange(fresh_, false)};
  }

  bool write(Bytes frame, Instant now) override {
    if (!connected_) return false;
    auto put = port_->put(frame);
    if (put) return *put;
    lose(put.error().text, now);
    return false;
  }

  Instant watch(std::vector<net::Watch>& watches) const override {
    if (!port_) return retry_.next();
    watches.push_back({.fd = port_->socket().fd(), .want_write = !connected_ || port_->waits()});
    return connected_ ? Instant::max() : started_ + 1s;
  }
  LinkState state() const override {
    if (connected_) return LinkState::open;
    return port_ ? LinkState::connecting : LinkState::down;
  }
  std::uint64_t connections() const override { return connections_; }
  net::Endpoint local() const override { return port_ ? port_->socket().local() : net::Endpoint{}; }

 private:
  void lose(const std::string& why, Instant now) {
    trouble_ = why;
    port_.reset();
    connected_ = false;
    retry_.failed(now);
  }

  net::Endpoint to_;
  net::Tap* tap_;
  std::optional<TcpPort> port_;
  bool connected_ = false;
  bool fresh_ = false;
  Instant started_{};
  Retry retry_;
  std::uint64_t connections_ = 0;
};

class TcpInTransport final : public Transport {
 public:
  TcpInTransport(net::TcpListener listener, net::Tap* tap) : listener_(std::move(listener)), tap_(tap) {}

  void tend(Instant) override {
    while (tcp_ready(listener_.fd())) {
      auto caller = listener_.accept(Instant{});
      if (!caller) {
        trouble_ = caller.error().text;
        break;
      }
      const auto free = std::find_if(callers_.begin(), callers_.end(), [](const Caller& c) { return !c.port; });
      if (free == callers_.end()) {
        trouble_ = "too many clients: one was disconnected";
        continue;
      }
      caller->tap(tap_);
      free->port = std::make_unique<TcpPort>(std::move(*caller));
      free->fresh = true;
      ++connections_;
    }
    for (Caller& caller : callers_)
      if (caller.port)
        if (auto flushed = caller.port->flush(); !flushed) lose(caller, flushed.error().text);
  }

  std::optional<Piece> read(std::span<std::uint8_t> into, Instant) override {
    for (std::size_t i = 0; i < callers_.size(); ++i) {
      const std::size_t at = (next_ + i) % callers_.size();  // in turns, so that none starves the others
      Caller& caller = callers_[at];
      if (!caller.port) continue;
      auto count = caller.port->socket().read_now(into);
      if (!count) {
        lose(caller, count.error().text);
        continue;
      }
      if (*count == 0) continue;
      next_ = at + 1;
      return Piece{*count, at, false, std::exchange(caller.fresh, false)};
    }
    return std::nullopt;
  }

  bool write(Bytes frame, Instant) override {
    bool sent = false;
    for (Caller& caller : callers_) {
      if (!caller.port) continue;
      auto put = caller.port->put(frame);
      if (!put) {
        lose(caller, put.error().text);
      } else {
        sent = sent || *put;
      }
    }
    return sent;
  }

  Instant watch(std::vector<net::Watch>& watches) const override {
    watches.push_back({.fd = listener_.fd()});
    for (const Caller& caller : callers_)
      if (caller.port) watches.push_back({.fd = caller.port->socket().fd(), .want_write = caller.port->waits()});
    return Instant::max();
  }
  LinkState state() const override {
    const bool any = std::any_of(callers_.begin(), callers_.end(), [](const Caller& c) { return c.port != nullptr; });
    return any ? LinkState::open : LinkState::connecting;
  }
  std::uint64_t connections() const override { return connections_; }
  net::Endpoint local() const override { return listener_.local(); }

 private:
  struct Caller {
    std::unique_ptr<TcpPort> port;
    bool fresh = false;
  };
  void lose(Caller& caller, const std::string& why) {
    trouble_ = why;
    caller.port.reset();
  }

  net::TcpListener listener_;
  net::Tap* tap_;
  std::array<Caller, most_peers> callers_{};
  std::size_t next_ = 0;
  std::uint64_t connections_ = 0;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_tcp(const LinkAddress& address, net::Tap* tap) {
  auto endpoint = net::resolve(address.host, address.port);
  if (!endpoint) return within(address.text(), std::move(endpoint).error());
  return std::unique_ptr<Transport>(std::make_unique<TcpTransport>(*endpoint, tap));
}

Result<std::unique_ptr<Transport>> open_tcp_in(const LinkAddress& address, net::Tap* tap) {
  auto listener = net::TcpListener::listen(address.bind_host, address.bind_port);
  if (!listener) return within(address.text(), std::move(listener).error());
  return std::unique_ptr<Transport>(std::make_unique<TcpInTransport>(std::move(*listener), tap));
}

}  // namespace tandem::mavlink
