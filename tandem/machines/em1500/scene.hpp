// SPDX-License-Identifier: Apache-2.0
// What the EM1500 looks like: base, six cylinders with their rods, plate. From its geometry alone.
#pragma once

#include "tandem/machines/em1500/state.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::em1500 {

// Frames: "platform" (the top), then "leg 1" to "leg 6" at the joints on the base, z along the leg.
machines::Scene make_scene();

// Its state with the top there; a scalar is a leg's displacement from neutral, m.
machines::Picture picture_of(const Pose& X_base_top);

// As the bridge knows it, its angles in `order`: nothing before the first sample.
machines::Picture picture_of(const State& state, RotationOrder order);

}  // namespace tandem::em1500
