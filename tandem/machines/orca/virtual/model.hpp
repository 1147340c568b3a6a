// SPDX-License-Identifier: Apache-2.0
// The Orca as a MuJoCo model: a free body over the sea floor. Only weight and contact are MuJoCo's; what the water does
// is added by the virtual body.
#pragma once

#include <Eigen/Core>
#include <string>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

inline constexpr double gravity = 9.81;       // m/s^2
inline constexpr double start_height = -0.2;  // m, z of base_link in the map: it floats

struct ModelOptions {
  double timestep = 0.0025;  // s; 0.1 to 10 ms are stable
  double friction = 0.6;     // of the hull on the sea floor
};

// kg m^2 about the centre of mass: the hull as a full box.
Eigen::Vector3d inertia(const Hull& hull);

// MJCF text. The world is the map (ENU, z = 0 is the surface), its floor the plane z = hull.seafloor; the body "orca"
// with a free joint has its frame at base_link, and its hull is a box about that.
std::string mjcf(const Hull& hull, const ModelOptions& options);

}  // namespace tandem::orca
