// SPDX-License-Identifier: Apache-2.0
// The warehouse as the page draws it: bays, nodes, and lanes in the colour of what they are to the trucks.
#pragma once

#include <span>

#include "tandem/app/warehouse/dispatcher.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::warehouse {

inline constexpr std::string_view hall_name = "hall";

machines::Scene hall_scene(const Map& map);
// A scalar for each edge of the map: high in a base, low in a horizon, NaN elsewhere.
machines::Picture hall_picture(std::span<const EdgeUse> edges);

}  // namespace tandem::warehouse
