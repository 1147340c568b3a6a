// SPDX-License-Identifier: Apache-2.0
// The topic by which a type of machine publishes what its device says, and its numbers in the order of Wire::readings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::prove::checker {

// In the namespace /NAME, as the stage configures it. Empty: none is checked.
std::string published_topic(std::string_view type, const std::string& name);
// Nothing for bytes that are no such message.
std::optional<std::vector<double>> published_values(std::string_view type, std::span<const std::uint8_t> cdr);

}  // namespace tandem::prove::checker
