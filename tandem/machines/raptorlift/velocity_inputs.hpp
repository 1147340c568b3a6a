// SPDX-License-Identifier: Apache-2.0
// Who may drive the truck, by topic and priority.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tandem::raptorlift {

// In the order of their priorities, the highest first.
enum class VelocityInput : std::uint8_t { teleop, key, nav, fleet, cmd_vel, reference, task };
inline constexpr std::size_t velocity_input_count = 7;

struct VelocitySource {
  std::string_view name;
  std::string_view topic;  // in the node's namespace; "" for one inside this process
  int priority;
};
// Teleop, key and nav with the priorities that the truck's own project gives its multiplexer. What is sent straight to
// the controller yields to them, as there, where the multiplexer's output replaces it.
inline constexpr std::array<VelocitySource, velocity_input_count> velocity_sources{{
    {"teleop", "teleop/cmd_vel", 100},
    {"key", "key/cmd_vel", 50},
    {"nav", "nav/cmd_vel", 10},
    {"fleet", "", 7},
    {"cmd_vel", "cmd_vel", 5},
    {"reference", "~/reference", 1},
    {"task", "", 0},
}};
constexpr const VelocitySource& source(VelocityInput input) {
  return velocity_sources[static_cast<std::size_t>(input)];
}

}  // namespace tandem::raptorlift
