// SPDX-License-Identifier: Apache-2.0
// The counter as a machine: reads its level, and counts up while it is permitted to.
#pragma once

#include "tandem/machines/machine.hpp"

namespace tandem::counter {

const machines::MachineType& machine_type();

}  // namespace tandem::counter
