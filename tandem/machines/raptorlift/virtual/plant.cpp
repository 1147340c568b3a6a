// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/plant.hpp"

#include <cmath>

#include "tandem/machines/raptorlift/virtual/model.hpp"

namespace tandem::raptorlift {

// Speeds first, then angles with the new speeds (semi-implicit Euler), as the original project's plant does.
bool VirtualPlant::step() {
  const double dt = timestep_;
  for (std::size_t i = 0; i < 4; ++i) {
    const double damping = steers(i) ? steering_damping : traction_damping;
    const double inertia = steers(i) ? steering_inertia : traction_inertia;
    state_.speeds[i] += (torques_[i] - damping * state_.speeds[i]) / inertia * dt;
    state_.angles[i] += state_.speeds[i] * dt;
    if (steers(i) && std::abs(state_.angles[i]) > geometry_.steering_limit) {
      state_.angles[i] = std::copysign(geometry_.steering_limit, state_.angles[i]);
      state_.speeds[i] = 0;
    }
  }
  const auto estimate = kinematics::ackermann::twist_from_wheels(
      geometry_, {state_.speeds[0], state_.speeds[1], state_.angles[2], state_.angles[3]});
  if (!estimate) return false;
  const auto& twist = estimate->twist;
  state_.axle = state_.axle * kinematics::ackermann::arc(twist, dt);
  state_.twist = {twist.v, 0, twist.w};
  state_.distance += std::abs(twist.v) * dt;
  state_.slip = estimate->slip;
  return true;
}

}  // namespace tandem::raptorlift
