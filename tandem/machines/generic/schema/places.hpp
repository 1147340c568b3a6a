// SPDX-License-Identifier: Apache-2.0
// Where a signal is on its device, as a file says it: "holding 16", 40011, "MAIN.stBelt[2].fSpeed".
#pragma once

#include <string_view>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

// A table and an address, or a number: how a file of a Modbus device begins its places.
bool looks_like_modbus(std::string_view text);

// Total. The error has what was expected and got, without the name of the signal.
Result<At> place_from(std::string_view text, Protocol protocol, int base);

}  // namespace tandem::generic
