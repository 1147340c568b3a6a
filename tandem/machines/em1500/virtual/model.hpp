// SPDX-License-Identifier: Apache-2.0
// The EM1500 as a MuJoCo model, generated from its geometry: used by the virtual platform and by the twin.
#pragma once

#include <string>

#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::em1500 {

struct ModelOptions {
  double timestep = 0.002;  // s; 0.0005 to 0.002 hold a leg within half a millimetre of its command
  double payload = 900;     // kg on the plate, its centre 0.3 m above it
};

// A leg's servo: force = stiffness * (command - position) - damping * velocity. A command that leads by
// velocity * damping / stiffness follows a moving target without lag.
inline constexpr double leg_stiffness = 2e7;                     // N/m
inline constexpr double leg_damping = 1.5e5;                     // N s/m
inline constexpr double leg_force = 1e5;                         // N, most that a leg pushes or pulls
inline constexpr double leg_lead = leg_damping / leg_stiffness;  // s

// MJCF text. The world's frame is the base frame. Names: body "top" with a free joint; for leg i = 1 to 6 the bodies
// "cylinder_i" and "rod_i", the hinges "sway_i" then "swing_i" (about x and y of leg_frame, zero at home), the
// slide "leg_i" (displacement from its length at home, m) and the actuator "drive_i" (command, m).
// A leg is universal joint, slide, and ball joint (a connect constraint) at the plate.
std::string mjcf(const stewart::Geometry& geometry, const Pose& home, double stroke, const ModelOptions& options);

// The frame in which leg i (0 to 5) is fixed to the base: at its joint, z along the leg at home.
Pose leg_frame(const stewart::Geometry& geometry, const Pose& home, int leg);

}  // namespace tandem::em1500
