// SPDX-License-Identifier: Apache-2.0
// The registers of the virtual winches: words on one side, what they mean on the other, as description.hpp has it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tandem/machines/cable_robot/virtual/station.hpp"

namespace tandem::cable_robot {

using RegisterWords = std::span<const std::uint16_t>;

// The whole block of `winches`. Nothing for a mode, a bit or a spare word that is none, and, of the winches whose bit
// is set, for a speed, for lengths in mode length and for tensions in mode tension outside the limits.
std::optional<StationCommand> order_from(RegisterWords words, int winches, const WinchLimits& limits);
// The whole block.
void order_words(const StationCommand& order, std::span<std::uint16_t> words);

void feedback_words(const VirtualStation& station, std::span<std::uint16_t> words);
void truth_words(const PlatformState& state, int winches, std::span<std::uint16_t> words);

// Nothing for limits that contradict each other, and for those that no winch has.
std::optional<WinchLimits> limits_from(RegisterWords words);
void limits_words(const WinchLimits& values, std::span<std::uint16_t> words);

}  // namespace tandem::cable_robot
