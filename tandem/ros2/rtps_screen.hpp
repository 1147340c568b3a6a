// Looks at RTPS messages before Fast DDS does.
//
// Debian's Fast DDS 2.9.1 believes the lengths that a stranger writes. Measured: one datagram of 150 bytes to the
// discovery port ends the process (a DATA whose contents begin behind its end), one DATA_FRAG reads past its buffer,
// one takes 4 GB, one GAP over all numbers keeps its thread busy for ever, and a text of 2^32 - 1 characters in an
// announcement is copied.
#pragma once

#include "tandem/ros2/rtps_parameters.hpp"

namespace tandem::ros2 {

struct Screened {
  const char* fault = nullptr;                   // why the message must not reach Fast DDS
  Bytes message{};                               // otherwise what may: all of it but statistics at its end
  std::optional<ParticipantPrefix> announces{};  // who, if the message is an announcement
  std::int32_t lease = 0;                        // how long that holds, s
};

// Any bytes have an answer. Nothing is allocated, but for `copy`, which a message of discovery needs that describes its
// types: those are hidden. What is encrypted goes through, as nobody can write it without the
// key. Spoofed messages that are well formed go through too: against them only the certificates of DDS Security help.
Screened screened(Bytes message, std::vector<std::uint8_t>& copy);

}  // namespace tandem::ros2
