// SPDX-License-Identifier: Apache-2.0
// The description's registers as tables for Modbus, for the machine and for its virtual PLC.
#pragma once

#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/protocols/modbus/registers.hpp"

namespace tandem::raptorlift {

enum class Ranges { checked, none };  // a PLC takes what it is given

modbus::WordOrder word_order_of(const Description& description);
// Both throw std::invalid_argument for scales and ranges that do not fit 32 bits.
modbus::RegisterTable command_table(const Description& description, Ranges ranges);  // target and torque of each axis
modbus::RegisterTable feedback_table(const Description& description, Ranges ranges);
modbus::RegisterTable truth_table(const Description& description);  // of a virtual PLC

}  // namespace tandem::raptorlift
