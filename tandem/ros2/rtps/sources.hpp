// SPDX-License-Identifier: Apache-2.0
// Messages in which several participants of one process speak, one after the other, as Cyclone DDS bundles them.
#pragma once

#include <vector>

#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

// The message as one of each source that speaks in it; empty if there is one source, if the message is protected (its
// signature is of the whole) or if it cannot be read.
std::vector<std::vector<std::uint8_t>> by_source(Bytes message);

}  // namespace tandem::ros2
