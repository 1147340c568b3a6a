// SPDX-License-Identifier: Apache-2.0
// Machines of one configuration that are connected to the same device, or are the same vehicle to others.
#pragma once

#include <string>
#include <vector>

#include "tandem/runtime/config/config.hpp"

namespace tandem::runtime {

// What works, but is seldom meant: two machines on one real device, each with its own arm latch.
std::vector<std::string> shared_device_warnings(const Config& config);

// What does not work: two machines with one name on the broker, which would take the connection from each other.
std::vector<ConfigError::Problem> shared_identity_problems(const Config& config);

}  // namespace tandem::runtime
