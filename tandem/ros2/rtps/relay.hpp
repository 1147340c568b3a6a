// SPDX-License-Identifier: Apache-2.0
// What a discovery server says of others: of whom, and whether Fast DDS may read it. Only the screen uses this.
#pragma once

#include "tandem/ros2/rtps/parameters.hpp"

namespace tandem::ros2 {

struct Relay {
  const char* fault = nullptr;  // why Fast DDS must not see it
  ParticipantPrefix whose{};    // the participant, or the one that has the reader or writer
  bool ends = false;
};

// Of a sample of announcements, and of one of readers or writers; `notes` is null for one without data. All places in
// which such a sample names somebody have to agree, as Fast DDS takes one here and another there.
Relay relayed_participant(const InlineQos& qos, const DiscoveryNotes* notes);
Relay relayed_endpoint(const InlineQos& qos, const DiscoveryNotes* notes);

// Whether a sample without data names the same in its key as in the key hash before it. Fast DDS takes a key of up to
// 16 bytes in the place of the hash.
bool key_agrees(const InlineQos& qos, Bytes key);

}  // namespace tandem::ros2
