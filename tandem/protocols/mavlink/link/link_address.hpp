// SPDX-License-Identifier: Apache-2.0
// Where a MAVLink link leads, written the way pymavlink or mavros users write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/result.hpp"

namespace tandem::mavlink {

enum class LinkKind : std::uint8_t { udp, tcp, tcp_in, serial };

struct LinkAddress {
  LinkKind kind = LinkKind::udp;
  std::string bind_host{};      // udp and tcp_in; our end
  std::uint16_t bind_port = 0;  // 0 takes a free one
  std::string host{};           // udp and tcp; the other end, empty when it has to call first
  std::uint16_t port = 0;
  bool learn = false;      // udp: answer those who call, too
  std::string device{};    // serial
  std::uint32_t baud = 0;  // serial, bit/s

  std::string text() const;
};

// udpin:HOST:PORT  udpout:HOST:PORT  tcp:HOST:PORT  tcpin:HOST:PORT  serial:DEVICE[:BAUD]
// udp://[BIND][:PORT]@[REMOTE[:PORT]]  tcp://[HOST][:PORT]  tcp-l://[HOST][:PORT]  serial://DEVICE[:BAUD]
// Ports that are missing: 14555 here and 14550 there for udp, 5760 for tcp; 57600 baud. A host that is missing is
// loopback; our end is open to all (0.0.0.0) only when that is written, or when the other end is not on loopback.
// udpin and udp:// answer the caller; udpout talks to its one peer only.
Result<LinkAddress> parse_link_address(std::string_view text);

}  // namespace tandem::mavlink
