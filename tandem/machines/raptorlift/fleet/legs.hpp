// SPDX-License-Identifier: Apache-2.0
// Nodes and edges of a VDA 5050 order as waypoints and legs of a route, and what of them this truck cannot obey.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tandem/kinematics/ackermann/route.hpp"
#include "tandem/protocols/vda5050/messages.hpp"

namespace tandem::raptorlift::fleet {

// Fields of nodes and edges that a truck without a lift, a guiding line or a charger cannot obey. `map_id` empty: any
// one, as long as it is the same everywhere.
std::optional<vda5050::Problem> check_fields(const vda5050::Order& order, std::string_view map_id);

std::vector<kinematics::ackermann::Waypoint> waypoints_from(const vda5050::Order& order);

struct LegsOrProblem {
  std::vector<kinematics::ackermann::Leg> legs;
  std::optional<vda5050::Problem> problem;
};
// `heading` (rad) is the truck's at the first node: without an orientation an edge is driven forward unless that would
// begin with a turn of more than a right angle.
LegsOrProblem legs_from(const vda5050::Order& order, double heading, double smallest_radius);

// An error of a route's planner, which begins with "waypoint 2: " or "leg 1: ", as an error of the order, whose first
// node is waypoint `first`. `from_here`: the order is good, but the truck cannot begin it from where it is.
vda5050::Problem undrivable(const vda5050::Order& order, std::string_view why, std::size_t first,
                            bool from_here = false);

}  // namespace tandem::raptorlift::fleet
