// SPDX-License-Identifier: Apache-2.0
// Messages of DDS Security: whether what they count and measure is there.
#pragma once

#include "tandem/ros2/rtps/counted.hpp"

namespace tandem::ros2 {

// A DataHolder: name of its class, properties, binary properties. Identity, permissions and handshake tokens are such.
bool skip_data_holder(RtpsFields& in);

// A ParticipantGenericMessage, which carries handshakes and keys. Fast DDS 2.9.1 reads it before it knows the sender,
// takes memory by its counts, and does not survive a certificate without a subject.
const char* generic_message_fault(Bytes payload);

// Where the first size in it is: behind encapsulation, two identities of messages and three GUIDs.
inline constexpr std::size_t generic_message_start = 4 + 2 * 24 + 3 * 16;

// SEC_* and SRTPS_* submessages: headers, encrypted contents and lists of authentication codes.
const char* protection_fault(const Submessage& submessage);

}  // namespace tandem::ros2
