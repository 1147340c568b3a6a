// SPDX-License-Identifier: Apache-2.0
// Looks at RTPS messages before Fast DDS does.
//
// Debian's Fast DDS 2.9.1 believes the lengths that a stranger writes. Measured: one datagram of 150 bytes to the
// discovery port ends the process (a DATA whose contents begin behind its end), one DATA_FRAG reads past its buffer,
// one takes 4 GB, one GAP over all numbers keeps its thread busy indefinitely, a text of 2^32 - 1 characters in an
// announcement is copied, and with DDS Security a handshake that counts 2^32 - 1 tokens ends it too.
#pragma once

#include <functional>

#include "tandem/ros2/rtps/fragments.hpp"
#include "tandem/ros2/rtps/parameters.hpp"

namespace tandem::ros2 {

struct ScreenRules {
  // DDS Security is on: Fast DDS checks signatures, so what is signed is never changed here.
  bool secured = false;
  // Whether this participant, which sent the message, may be answered at that address, a group among them. Without it:
  // anywhere.
  std::function<bool(const ParticipantPrefix&, const Ipv4&)> is_address_of{};
  // The message is a discovery server's: whether that may speak of this participant, itself or another. Without it:
  // everybody speaks for itself alone.
  std::function<bool(const ParticipantPrefix&)> may_relay{};
  // And whether it may announce that one at an address, nobody having been heard there.
  std::function<bool(const ParticipantPrefix&, const Ipv4&)> may_announce_at{};
};

struct Screened {
  const char* fault = nullptr;                   // why the message must not reach Fast DDS
  Bytes message{};                               // otherwise what may: all of it but statistics at its end
  std::optional<ParticipantPrefix> announces{};  // who, if the message is an announcement
  std::int32_t lease = 0;                        // how long that holds, s
  bool hides_addresses = false;                  // some of its unicast addresses were hidden
  std::int64_t sequence = 0;                     // number of the announcement
  bool takes_leave = false;                      // a participant says that it ends
  std::optional<ParticipantPrefix> ends{};       // which one, if it is named
  bool describes_endpoints = false;              // readers or writers of the sender, or of whom a server speaks of
  std::vector<FragmentPart> fragments{};         // of builtin topics: taken out of the message, they point into it
};

// Any bytes have an answer. `copy` is used, and memory taken, only for messages of discovery in which something is
// changed: descriptions of types and addresses of other computers are hidden, long leases shortened, fragments taken
// out. What is encrypted goes through, as it cannot be written without the key. Spoofed messages that are well formed
// go through too: against them only the certificates of DDS Security help.
Screened screened(Bytes message, std::vector<std::uint8_t>& copy, const ScreenRules& rules = {});

}  // namespace tandem::ros2
