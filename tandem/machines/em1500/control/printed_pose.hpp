// SPDX-License-Identifier: Apache-2.0
// The pose and the cylinder strokes as the platform's original program prints them, and a last line with the units.
#pragma once

#include <string>

#include "tandem/machines/em1500/state.hpp"

namespace tandem::em1500 {

// The pose as the kinematics has it (m, rad; heave from the base), the PLC's own heave, and the displacements qi1 to
// qi6 (m). Empty before the first sample.
std::string printed_pose(const State& state);

}  // namespace tandem::em1500
