// Looks at RTPS messages before Fast DDS does.
//
// Debian's Fast DDS 2.9.1 believes the lengths that a stranger writes. Measured: one datagram of 150 bytes to the
// discovery port ends the process (a DATA whose contents begin behind its end), one DATA_FRAG reads past its buffer,
// one takes 4 GB, and one GAP over all numbers keeps its thread busy for ever.
#pragma once

#include "tandem/base/bytes.hpp"

namespace tandem::ros2 {

struct Screened {
  const char* fault = nullptr;  // why the message must not reach Fast DDS
  Bytes message;                // otherwise what may: all of it, or all but statistics at its end
};

// Any bytes have an answer; nothing is allocated. What is encrypted goes through, as nobody can write it without the
// key. Spoofed messages that are well formed go through too: against them only the certificates of DDS Security help.
Screened screened(Bytes message);

}  // namespace tandem::ros2
