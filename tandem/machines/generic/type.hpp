// SPDX-License-Identifier: Apache-2.0
// The type `generic` for the registry: the form with Modbus; reading a file gives the one of its protocol.
#pragma once

#include "tandem/machines/machine.hpp"

namespace tandem::generic {

const machines::MachineType& machine_type();

}  // namespace tandem::generic
