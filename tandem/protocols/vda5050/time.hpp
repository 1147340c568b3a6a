// SPDX-License-Identifier: Apache-2.0
// Timestamps of VDA 5050: ISO 8601 in UTC, "2026-11-18T20:15:00.123Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"

namespace tandem::vda5050 {

std::string timestamp_of(UtcTime time);
// None if it is not one. Any number of decimals; at most microseconds are kept.
std::optional<UtcTime> utc_from(std::string_view timestamp);

}  // namespace tandem::vda5050
