// SPDX-License-Identifier: Apache-2.0
// The keys of one machine, read from top to bottom and then checked together.
#pragma once

#include <string>

#include "tandem/machines/generic/schema/read.hpp"

namespace tandem::generic {

// As read_description(), but a machine in a file of its own is none.
DescriptionRead read_keys(const yaml::Node& map, const std::string& file, const std::string& machine);

}  // namespace tandem::generic
