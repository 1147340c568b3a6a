// SPDX-License-Identifier: Apache-2.0
// All inverse solutions of many poses at once, one array per number: for reachability maps, recordings and fleets.
// Runs on the widest vectors that the processor has; answers are those of inverse.hpp, to rounding.
#pragma once

#include <span>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/kinematics/ur/kernels.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::kinematics::ur {

using PoseColumns = std::array<std::span<const double>, 7>;  // flange: x, y, z (m), quaternion w, x, y, z
using SolutionColumns = std::array<std::span<double>, 48>;   // [solution * 6 + joint], rad; NaN where there is none

// Bit k of found[i] says whether solution k of pose i is there. The quaternion need not be of length one. Where wrist 3
// is free it is zero, or as near to it as the arm reaches. Columns of different sizes throw std::invalid_argument.
void all_solutions(const Model& model, const PoseColumns& poses, const SolutionColumns& solutions,
                   std::span<unsigned char> found, const Tolerance& tolerance = {},
                   const kernel::Kernels& kernels = kernel::best());

}  // namespace tandem::kinematics::ur
