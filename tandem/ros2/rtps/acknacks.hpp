// SPDX-License-Identifier: Apache-2.0
// ACKNACK submessages: what readers elsewhere tell writers here, and how Fast DDS comes to understand Cyclone's.
//
// A Cyclone reader that has matched a writer requests a heartbeat, with an ACKNACK of base 1 and count 0, once a
// second. Until a heartbeat comes, it discards what the writer sends. Fast DDS 2.9.1 expects base 0 in such a request,
// and takes a count of 0 for one that it has seen: it does not answer, and the reader stays deaf until a heartbeat is
// due for another reason. The first answer of a service, the first sample of a topic are lost that way.
#pragma once

#include <span>

#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

struct Acknack {
  Gid reader{};
  Gid writer{};
  bool requests_heartbeat = false;  // and acknowledges nothing: a "preemptive" one
  bool little = true;               // byte order
  std::size_t base_at = 0;          // place in the message of the first number that is not acknowledged, 8 bytes
  std::size_t count_at = 0;         // 4 bytes
};

// Those of a message that has passed the screen. Those without an INFO_DST, or protected by DDS Security, are left out:
// whom they are for is not known, or a change of theirs would be found out.
class Acknacks {
 public:
  explicit Acknacks(Bytes message);
  std::optional<Acknack> next();

 private:
  Submessages submessages_;
  Gid source_{}, destination_{};
  bool addressed_ = false;
  bool secured_ = false;
};

bool is_from_cyclone(Bytes message);
bool is_from_eprosima(Bytes message);

// Makes an ACKNACK of Cyclone's one that Fast DDS understands. `request` counts the requests for heartbeats and grows;
// the counts of the others are moved behind all of those.
void translate(std::span<std::uint8_t> message, const Acknack& acknack, std::uint32_t request);

}  // namespace tandem::ros2
