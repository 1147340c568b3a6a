// SPDX-License-Identifier: Apache-2.0
// What the truck says of itself to a fleet master.
#pragma once

#include <string_view>

#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::raptorlift::fleet {

inline constexpr double least_speed = 0.05;  // m/s, of an edge

// `confirmable`: a person at the truck can confirm, by ROS.
vda5050::Factsheet factsheet_of(const Description& description, const FleetOptions& options, bool confirmable = false);

// Of orders: runs until a person has confirmed.
inline constexpr std::string_view wait_for_trigger = "waitForTrigger";

}  // namespace tandem::raptorlift::fleet
