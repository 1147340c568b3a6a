// SPDX-License-Identifier: Apache-2.0
// Many poses of a Stewart platform at once, one array per coordinate or leg: for maps, recordings and fleets.
// Runs on the widest vectors that the processor has; answers are those of stewart.hpp, to rounding.
#pragma once

#include <array>
#include <span>

#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::stewart {

using Columns = std::array<std::span<double>, 6>;             // x, y, z, roll, pitch, yaw; or leg 1 to 6
using ConstColumns = std::array<std::span<const double>, 6>;  // all six of one size, else std::invalid_argument

// lengths[leg][i] from coordinates[0 to 5][i].
void leg_lengths(const Platform& platform, const ConstColumns& coordinates, const Columns& lengths,
                 RotationOrder order = RotationOrder::zyx, const kernel::Kernels& kernels = kernel::best());

enum class Outcome : unsigned char {
  home,            // as Mode::home
  other_possible,  // as Mode::other_possible
  none,            // no pose found, or a length or start that is no number; the coordinates are NaN
};

// coordinates[0 to 5][i] from lengths[leg][i]. Each search begins where the coordinates stand when called, such as the
// answer of a moment ago, or home. Outcomes say for each what the answer is worth.
void poses_from_lengths(const Platform& platform, const ConstColumns& lengths, const Columns& coordinates,
                        std::span<Outcome> outcomes, RotationOrder order = RotationOrder::zyx,
                        const kernel::Kernels& kernels = kernel::best());

}  // namespace tandem::stewart
