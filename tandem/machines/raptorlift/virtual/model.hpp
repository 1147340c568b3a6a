// SPDX-License-Identifier: Apache-2.0
// The RaptorLift as a MuJoCo model, generated from its description, and what its drives weigh.
#pragma once

#include <string>

#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

// Of one axis, from the original project's plant.
inline constexpr double traction_inertia = 0.08;  // kg m^2, wheel and motor
inline constexpr double traction_damping = 1.0;   // N m s/rad
inline constexpr double steering_inertia = 0.5;   // kg m^2, wheel, fork and motor
inline constexpr double steering_damping = 0.5;   // N m s/rad

inline constexpr double most_load = 120;  // kg on the fork; from about 150 on the truck tips over

struct ModelOptions {
  double timestep = 0.002;  // s; up to 0.005 the wheels stand and roll as well
  double load = 0;          // kg on the fork, 0 to most_load
  double friction = 1.0;    // of rubber on the ground
};

// MJCF text. The ground is the plane z = 0; the body "truck" with a free joint has its frame on the ground under
// base_link, x forward. Joints and actuators (N m) have the names of the description; the rear wheels roll freely about
// "rear_right_wheel_joint" and "rear_left_wheel_joint". A wheel is a narrow ellipsoid, so that it touches the ground
// in one point whatever the truck does: with cylinders the yaw rate is 2 % off and the truck shakes.
std::string mjcf(const Description& truck, const ModelOptions& options);

}  // namespace tandem::raptorlift
