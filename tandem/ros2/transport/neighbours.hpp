// SPDX-License-Identifier: Apache-2.0
// Which computers of the local network answer: what the kernel's ARP table says.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/transport/addresses.hpp"
#include "tandem/ros2/transport/relayed.hpp"

namespace tandem::ros2 {

std::optional<Ipv4> ipv4_from(const std::string& text);

// The IPv4 addresses in the text of /proc/net/arp whose hardware address is known.
std::set<Ipv4> answering_neighbours(std::string_view arp_table);

// Whether the address is on a network that one of our interfaces is on, and not our own.
bool is_neighbour(const Ipv4& address);

// Datagrams to a computer that does not answer wait in the kernel for its hardware address, for seconds, and fill the
// send buffer that all share. So to such a one only a probe goes, now and then. Any thread.
class NeighbourGate {
 public:
  static constexpr Duration probe_period = std::chrono::milliseconds(500);

  // Peers are these and those at the addresses that discovery servers tell.
  explicit NeighbourGate(std::set<Ipv4> peers, std::shared_ptr<const Relayed> relayed = nullptr)
      : peers_(std::move(peers)), relayed_(std::move(relayed)) {}

  // Whether a datagram may go there now; `way` tells apart those who send. Addresses that are no peers always may.
  bool lets_through(const Ipv4& address, const void* way, Instant now);

 private:
  bool answers(const Ipv4& address, Instant now);

  const std::set<Ipv4> peers_;
  const std::shared_ptr<const Relayed> relayed_;
  std::mutex mutex_;
  Instant looked_{};
  std::set<Ipv4> answering_;
  std::map<Ipv4, bool> near_;
  std::map<std::pair<const void*, Ipv4>, Instant> probed_;
};

}  // namespace tandem::ros2
