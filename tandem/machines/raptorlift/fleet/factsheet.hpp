// SPDX-License-Identifier: Apache-2.0
// What the truck says of itself to a fleet master.
#pragma once

#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::raptorlift::fleet {

inline constexpr double least_speed = 0.05;  // m/s, of an edge

vda5050::Factsheet factsheet_of(const Description& description, const FleetOptions& options);

}  // namespace tandem::raptorlift::fleet
