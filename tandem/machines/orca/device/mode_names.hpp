// SPDX-License-Identifier: Apache-2.0
// ArduSub's modes by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

// "ALT_HOLD"; "mode 42" for one that is not known.
std::string mode_name(std::uint32_t mode);
// By name in any case, or by number.
std::optional<Mode> mode_from(std::string_view text);
// All names, for errors: "STABILIZE, ACRO, ...".
std::string all_mode_names();

}  // namespace tandem::orca
