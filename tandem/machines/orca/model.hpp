// The Orca as a MuJoCo model: a free body over the sea floor. Only weight and contact are MuJoCo's; what the water does
// is added by the virtual body.
#pragma once

#include <Eigen/Core>
#include <string>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

struct ModelOptions {
  double timestep = 0.0025;  // s; 1 to 10 ms are stable
  double friction = 0.6;     // of the hull on the sea floor
};

// kg m^2 about the centre of mass: the hull as a full box.
Eigen::Vector3d inertia(const Hull& hull);

// MJCF text. The world is the map (ENU, z = 0 is the surface), its floor the plane z = hull.seafloor; the body "orca"
// with a free joint has its frame at base_link and starts 0.2 m under the surface.
std::string mjcf(const Hull& hull, const ModelOptions& options);

}  // namespace tandem::orca
