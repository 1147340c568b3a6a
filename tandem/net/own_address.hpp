// SPDX-License-Identifier: Apache-2.0
// Which of this computer's addresses packets to a host leave from.
#pragma once

#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::net {

// In dotted form, or why there is no route. Sends nothing.
Result<std::string> own_address_towards(const std::string& host, Instant deadline);

}  // namespace tandem::net
