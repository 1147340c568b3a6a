// Lists of parameters in RTPS: whether what they count and measure is there. Only the screen uses this.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tandem/ros2/rtps_fields.hpp"

namespace tandem::ros2 {

using ParticipantPrefix = std::array<std::uint8_t, 12>;

struct DiscoveryNotes {
  // Where parameters begin that Fast DDS must not see.
  std::vector<std::size_t> hidden;
  // Of an announcement: whose, and for how many seconds it holds.
  std::optional<ParticipantPrefix> participant;
  std::int32_t lease = 100;
};

// Reads parameters up to and with their end mark, whatever they hold.
const char* parameters_fault(RtpsFields& in);

// Null, or why Fast DDS must not read this as discovery. It takes memory by counts without looking whether there is
// anything to count. Descriptions of types in their XTypes form are to be hidden: nobody here reads them. Places are
// counted from the begin of `payload`.
const char* discovery_fault(Bytes payload, DiscoveryNotes& notes);

}  // namespace tandem::ros2
