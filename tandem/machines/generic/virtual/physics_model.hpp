// SPDX-License-Identifier: Apache-2.0
// The URDF of a described device as a MuJoCo model: its links' masses, its joints with drives. MuJoCo reads URDF too,
// but then there are no drives; and what links look like does not matter here, so meshes are not loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

struct ModelJoint {
  std::string name;
  double low = 0, high = 0;  // m or rad
  bool limited = false;
  std::optional<std::string> follows;  // the joint that it mimics; such a joint has no drive
};

struct PhysicsModel {
  std::string mjcf;
  std::vector<ModelJoint> joints;  // those that move: bound ones, those that `sim` names, and those that mimic them
};

// A drive NAME acts on each joint NAME, and a motor NAME_weight takes the force that carries the weight.
// Throws std::invalid_argument for a URDF that is invalid or has no masses.
PhysicsModel physics_model(const Description& description, double timestep);
PhysicsModel physics_model(const Description& description, const std::string& urdf, double timestep);

}  // namespace tandem::generic
