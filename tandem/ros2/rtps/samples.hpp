// SPDX-License-Identifier: Apache-2.0
// Samples in messages of discovery servers, one by one. What a server relays comes from anybody, in one numbered stream
// of the server's: a sample that Fast DDS must not see leaves a gap in it, for without its number nothing behind it
// would be read.
#pragma once

#include <optional>
#include <vector>

#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

ParticipantPrefix source_of(Bytes message);  // of a whole header

// The message as one for each sample in it, with what comes before and behind; empty if there is one sample or none, or
// if it cannot be read.
std::vector<std::vector<std::uint8_t>> by_sample(Bytes message);

// How far the stream of a server's announcements is, as a message with a heartbeat of it says.
struct StreamMark {
  std::int64_t last = 0;    // number of the newest announcement
  std::uint32_t count = 0;  // of heartbeats
};
std::optional<StreamMark> stream_mark(Bytes message);

// The message that says that the first sample of a builtin topic in this one is irrelevant, and nothing else; empty if
// there is none.
std::vector<std::uint8_t> gap_instead(Bytes message);

}  // namespace tandem::ros2
