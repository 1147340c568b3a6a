// SPDX-License-Identifier: Apache-2.0
// The questions `lengths` and `pose`: with the pulleys, the sag and the drums that a geometry file may describe.
#pragma once

#include "tandem/machines/machine.hpp"

namespace tandem::cable_robot {

Result<std::string> answer_lengths(std::string_view text, const machines::Progress& progress);
Result<std::string> answer_pose(std::string_view text, const machines::Progress& progress);

}  // namespace tandem::cable_robot
