// SPDX-License-Identifier: Apache-2.0
// Machines of one configuration that are connected to the same device.
#pragma once

#include <string>
#include <vector>

#include "tandem/runtime/config/config.hpp"

namespace tandem::runtime {

// What works, but is seldom meant: two machines on one real device, each with its own arm latch.
std::vector<std::string> shared_device_warnings(const Config& config);

}  // namespace tandem::runtime
