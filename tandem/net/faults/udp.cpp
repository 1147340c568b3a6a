// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <list>

#include "tandem/net/faults/line.hpp"

namespace tandem::net {

namespace {

constexpr int datagrams_per_round = 256;  // so that a flood in one direction does not starve the other

class UdpFaultLine final : public FaultLine {
 public:
  UdpFaultLine(const FaultProxy::Options& options, UdpSocket socket)
      : seed_(options.seed), tap_(options.tap), socket_(std::move(socket)) {
    upstream_ = options.upstream;
  }

  void pump(const Faults& faults, Instant now) override {
    receive_from_clients(faults, now);
    for (Peer& peer : peers_) {
      receive_from_device(peer, faults, now);
      while (const auto bytes = peer.to_device.due(faults.to_device, now)) {
        // A datagram that the system does not take is lost, as datagrams are.
        static_cast<void>(peer.device.send(*bytes, upstream_));
        peer.to_device.left(bytes->size(), faults.to_device, now);
      }
      while (const auto bytes = peer.to_client.due(faults.to_client, now)) {
        static_cast<void>(socket_.send(*bytes, peer.client));
        peer.to_client.left(bytes->size(), faults.to_client, now);
      }
    }
  }

  void watch(const Faults& faults, std::vector<Watch>& watches, Instant& wake) const override {
    watches.push_back({.fd = socket_.fd()});
    for (const Peer& peer : peers_) {
      watches.push_back({.fd = peer.device.fd()});
      wake = std::min({wake, peer.to_device.next(faults.to_device), peer.to_client.next(faults.to_client)});
    }
  }

  void reseed(std::uint64_t seed) override {
    seed_ = seed;
    since_seed_ = 0;
    for (Peer& peer : peers_) {
      peer.to_device.reseed(seed_to_device(seed, since_seed_));
      peer.to_client.reseed(seed_to_client(seed, since_seed_++));
    }
  }

  // Datagrams have no connection to cut; what waits is lost and the device sees new senders.
  void cut(Cut) override {
    counts_.cuts += peers_.size();
    for (const Peer& peer : peers_) settle(peer);
    peers_.clear();
  }

  void inject(bool to_device, Bytes bytes, Instant now) override {
    for (Peer& peer : peers_) (to_device ? peer.to_device : peer.to_client).inject(bytes, now);
  }

  void stop_listening() override { listening_ = false; }
  Result<void> listen_again() override {
    listening_ = true;
    return {};
  }
  Endpoint endpoint() const override {
    const Endpoint local = socket_.local();
    return local.address == INADDR_ANY ? Endpoint{INADDR_LOOPBACK, local.port} : local;
  }

  ProxyCounts counts() const override {
    ProxyCounts all = counts_;
    all.open = peers_.size();
    for (const Peer& peer : peers_) {
      all.to_device += peer.to_device.counts();
      all.to_client += peer.to_client.counts();
    }
    return all;
  }

 private:
  struct Peer {
    Endpoint client;
    UdpSocket device;  // what the device sees as this client
    FaultPath to_device;
    FaultPath to_client;
  };

  // The peer of a client, most recently heard first; the one not heard for longest makes room for a new one.
  Peer* peer_of_client(const Endpoint& client) {
    const auto known = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.client == client; });
    if (known != peers_.end()) {
      peers_.splice(peers_.begin(), peers_, known);
      return &peers_.front();
    }
    if (peers_.size() >= most_connections) {
      ++counts_.turned_away;
      settle(peers_.back());
      peers_.pop_back();
    }
    const bool near = upstream_.address >> 24 == 127;
    auto device = UdpSocket::bind(near ? "127.0.0.1" : "0.0.0.0", 0);
    if (!device) return nullptr;
    device->tap(tap_);
    ++counts_.connections;
    peers_.push_front({client, std::move(*device), FaultPath(true, seed_to_device(seed_, since_seed_)),
                       FaultPath(true, seed_to_client(seed_, since_seed_))});
    ++since_seed_;
    return &peers_.front();
  }

  void receive_from_clients(const Faults& faults, Instant now) {
    for (int i = 0; i < datagrams_per_round; ++i) {
      auto datagram = socket_.receive(buffer_, now);
      if (!datagram) return;
      if (!listening_) {
        ++counts_.to_device.dropped;
        continue;
      }
      if (Peer* peer = peer_of_client(datagram->from)) {
        peer->to_device.take(Bytes(buffer_).first(datagram->size), faults.to_device, now);
      }
    }
  }

  void receive_from_device(Peer& peer, const Faults& faults, Instant now) {
    for (int i = 0; i < datagrams_per_round; ++i) {
      auto datagram = peer.device.receive(buffer_, now);
      if (!datagram) return;
      peer.to_client.take(Bytes(buffer_).first(datagram->size), faults.to_client, now);
    }
  }

  void settle(const Peer& peer) {
    counts_.to_device += peer.to_device.counts();
    counts_.to_client += peer.to_client.counts();
  }

  std::uint64_t seed_;
  std::uint64_t since_seed_ = 0;  // clients
  Tap* const tap_;
  UdpSocket socket_;
  bool listening_ = true;
  std::list<Peer> peers_;
  ProxyCounts counts_;  // of what is finished
  std::array<std::uint8_t, 65536> buffer_{};
};

}  // namespace

Result<std::unique_ptr<FaultLine>> udp_fault_line(const FaultProxy::Options& options) {
  auto socket = UdpSocket::bind(options.listen, options.port);
  if (!socket) return std::move(socket).error();
  return std::unique_ptr<FaultLine>(std::make_unique<UdpFaultLine>(options, std::move(*socket)));
}

}  // namespace tandem::net
