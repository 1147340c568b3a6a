// SPDX-License-Identifier: Apache-2.0
// Sequence numbers in RTPS: whether those of a submessage can be, and whether it holds all that it counts. Null, or why
// Fast DDS must not see it.
#pragma once

#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

bool is_sequence(std::int64_t number);

const char* heartbeat_fault(RtpsFields in);
const char* gap_fault(RtpsFields in);
const char* acknack_fault(RtpsFields in);
const char* nack_fragments_fault(RtpsFields in);

}  // namespace tandem::ros2
