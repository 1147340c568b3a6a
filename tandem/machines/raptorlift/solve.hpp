// SPDX-License-Identifier: Apache-2.0
// The RaptorLift's questions for `tandem solve`: wheels, twist, odometry and ros2_control, a JSON object in and one
// out.
#pragma once

#include <span>

#include "tandem/machines/machine.hpp"

namespace tandem::raptorlift {

std::span<const machines::Query> queries();

}  // namespace tandem::raptorlift
