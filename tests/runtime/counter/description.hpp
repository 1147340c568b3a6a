// SPDX-License-Identifier: Apache-2.0
// The counter, a machine for tests: its device sends where it stands, and takes the next count as a command.
#pragma once

#include <cstdint>

namespace tandem::counter {

// Both directions, little-endian. Feedback: sequence u32, count u32, level f64. Command: count u32.
constexpr std::size_t feedback_size = 16;
constexpr std::size_t command_size = 4;
constexpr std::uint16_t standard_port = 17017;

}  // namespace tandem::counter
