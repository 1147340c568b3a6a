// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "tandem/protocols/mavlink/link/transport.hpp"

namespace tandem::mavlink {
namespace {

constexpr Duration udp_peer_forgotten = 10s;

class UdpTransport final : public Transport {
 public:
  UdpTransport(net::UdpSocket socket, std::optional<net::Endpoint> remote, bool learn)
      : socket_(std::move(socket)), remote_(remote), learn_(learn) {
    if (remote_) connections_ = 1;
  }

  void tend(Instant) override {}

  std::optional<Piece> read(std::span<std::uint8_t> into, Instant now) override {
    net::Watch watch{.fd = socket_.fd()};
    const auto ready = net::wait({&watch, 1}, Instant{});
    if (!ready || *ready == 0) return std::nullopt;
    auto datagram = socket_.receive(into, Instant{});
    if (!datagram) {
      trouble_ = datagram.error().text;
      return std::nullopt;
    }
    if (!learn_ && remote_ && datagram->from != *remote_) return Piece{0, 0, true, false};
    const bool fresh = learn_ && learn(datagram->from, now);
    return Piece{datagram->size, 0, true, fresh};
  }

  bool write(Bytes frame, Instant now) override {
    bool sent = false;
    const auto send = [&](const net::Endpoint& to) {
      if (auto done = socket_.send(frame, to); done) {
        sent = true;
      } else {
        trouble_ = done.error().text;
      }
    };
    if (remote_) send(*remote_);
    for (const Peer& peer : peers_)
      if (peer.heard != Instant{} && now - peer.heard < udp_peer_forgotten && peer.at != remote_) send(peer.at);
    return sent;
  }

  Instant watch(std::vector<net::Watch>& watches) const override {
    watches.push_back({.fd = socket_.fd()});
    return Instant::max();
  }
  LinkState state() const override { return connections_ > 0 ? LinkState::open : LinkState::connecting; }
  std::uint64_t connections() const override { return connections_; }
  net::Endpoint local() const override { return socket_.local(); }

 private:
  struct Peer {
    net::Endpoint at;
    Instant heard{};
  };

  // True for a new one. The one that was silent longest makes room, if it is forgotten anyway.
  bool learn(const net::Endpoint& from, Instant now) {
    const auto known = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) { return peer.at == from; });
    if (known != peers_.end()) {
      if (now - known->heard >= udp_peer_forgotten) ++connections_;
      known->heard = now;
      return false;
    }
    const auto oldest =
        std::min_element(peers_.begin(), peers_.end(), [](const Peer& a, const Peer& b) { return a.heard < b.heard; });
    if (oldest->heard != Instant{} && now - oldest->heard < udp_peer_forgotten) return false;
    *oldest = {from, now};
    if (from != remote_) ++connections_;
    return true;
  }

  net::UdpSocket socket_;
  std::optional<net::Endpoint> remote_;
  bool learn_;
  std::array<Peer, most_peers> peers_{};
  std::uint64_t connections_ = 0;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_udp(const LinkAddress& address, net::Tap* tap) {
  std::optional<net::Endpoint> remote;
  if (!address.host.empty()) {
    auto endpoint = net::resolve(address.host, address.port);
    if (!endpoint) return within(address.text(), std::move(endpoint).error());
    remote = *endpoint;
  }
  auto socket = net::UdpSocket::bind(address.bind_host, address.bind_port);
  if (!socket) return within(address.text(), std::move(socket).error());
  socket->tap(tap);
  return std::unique_ptr<Transport>(std::make_unique<UdpTransport>(std::move(*socket), remote, address.learn));
}

}  // namespace tandem::mavlink
