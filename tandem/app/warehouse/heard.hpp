// SPDX-License-Identifier: Apache-2.0
// What a master needs of the messages of a truck: its state and its connection, from JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::warehouse {

struct HeardState {
  std::string order;
  std::uint32_t update = 0, last_sequence = 0;
  bool idle = true;  // no nodes and no edges are left
  bool automatic = false, stopped = false, driving = false;
  bool initialized = false;  // its position
  std::optional<kinematics::ackermann::PlanarPose> position;
  bool stale = false;         // it has no valid feedback of its own
  bool route_failed = false;  // it waits until its order is cancelled
  std::string problem;        // its last error, as text; empty: none
};

// Total: none for whatever is no state.
std::optional<HeardState> read_state(std::string_view json);
// Whether a connection message says ONLINE.
bool says_online(std::string_view json);

}  // namespace tandem::warehouse
