// SPDX-License-Identifier: Apache-2.0
// The constants of our messages by name, which C++ cannot list by itself.
#pragma once

#include <map>
#include <string>

namespace tandem::ros2 {

using Constants = std::map<std::string, std::string>;  // name to value, as a .msg file writes it

// By the full name of the type; types without constants are not there.
std::map<std::string, Constants> all_constants();

}  // namespace tandem::ros2
