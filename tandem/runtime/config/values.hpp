// SPDX-License-Identifier: Apache-2.0
// One value of a configuration file against one row of an option table.
#pragma once

#include <string_view>

#include "tandem/base/result.hpp"
#include "tandem/machines/options.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::runtime {

// The value, or what was expected and what was seen.
Result<machines::Options::Value> option_value(const machines::Option& option, const yaml::Node& node);

// "virtual", or a URL of this scheme: scheme://host[:port][?key=value&...].
Result<void> check_device(std::string_view device, std::string_view scheme);

}  // namespace tandem::runtime
