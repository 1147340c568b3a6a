// SPDX-License-Identifier: Apache-2.0
// What is in a YAML node, as numbers and as words for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/yaml/tree.hpp"

namespace tandem::yaml {

// A finite decimal number and nothing else; no "0x", "nan", "1_000".
std::optional<double> number_from(std::string_view text);
// The same of a node; text in quotes is no number.
std::optional<double> number_from(const Node& node);

// What is there, for messages: "'fast'", "a list", "nothing".
std::string seen(const Node& node);

}  // namespace tandem::yaml
