// SPDX-License-Identifier: Apache-2.0
// The cable robot's questions for `tandem solve`: lengths, pose, tensions, robot and workspace, a JSON object in and
// one out.
#pragma once

#include <span>

#include "tandem/machines/machine.hpp"

namespace tandem::cable_robot {

std::span<const machines::Query> queries();

}  // namespace tandem::cable_robot
