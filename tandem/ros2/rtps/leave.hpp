// SPDX-License-Identifier: Apache-2.0
// What a participant sends that ends, for Fast DDS to forget it.
#pragma once

#include <vector>

#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

std::vector<std::uint8_t> leave_of(const ParticipantPrefix& who, std::int64_t sequence);

// A heartbeat of its announcements that leaves out all before `sequence`, so that its leave with that number is read
// at once, whatever was lost before.
std::vector<std::uint8_t> skip_to(const ParticipantPrefix& who, std::int64_t sequence, std::uint32_t count);

}  // namespace tandem::ros2
