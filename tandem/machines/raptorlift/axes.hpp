// SPDX-License-Identifier: Apache-2.0
// The truck's four axes in SI, with the joints' own signs: wheel states, and what is commanded on the wire.
#pragma once

#include <array>

#include "tandem/kinematics/ackermann/ackermann.hpp"

namespace tandem::raptorlift {

using kinematics::ackermann::Wheels;

// For the PLC: front right, front left; rear right, rear left.
struct AxisCommands {
  std::array<double, 2> speed_limits{};  // rad/s, 0 and above
  std::array<double, 2> positions{};     // rad, of the steering
  std::array<double, 4> torques{};       // N m, traction first
  friend bool operator==(const AxisCommands&, const AxisCommands&) = default;
};

}  // namespace tandem::raptorlift
