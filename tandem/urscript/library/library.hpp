// SPDX-License-Identifier: Apache-2.0
// The parts of the language library; internal to add_language_library().
#pragma once

#include "tandem/urscript/library/builtins.hpp"

namespace tandem::urscript {

void add_mathematics(Builtins& builtins, std::uint64_t random_seed);
void add_lists(Builtins& builtins);
void add_strings(Builtins& builtins);
void add_poses(Builtins& builtins);

Outcome inverse_pose(Call& call);  // of pose_inv, and of inv with a pose

}  // namespace tandem::urscript
