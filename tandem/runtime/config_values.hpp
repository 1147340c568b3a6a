// One value of a configuration file against one row of an option table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/base/result.hpp"
#include "tandem/machines/options.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::runtime {

// A finite decimal number and nothing else; no "0x", "nan", "1_000".
std::optional<double> number_from(std::string_view text);

// The value, or what was expected and what was seen.
Result<machines::Options::Value> option_value(const machines::Option& option, const yaml::Node& node);

// "virtual", or a URL of this scheme: scheme://host[:port][?key=value&...].
Result<void> check_device(std::string_view device, std::string_view scheme);

// What stands there, for messages: "'fast'", "a list", "nothing".
std::string seen(const yaml::Node& node);

}  // namespace tandem::runtime
