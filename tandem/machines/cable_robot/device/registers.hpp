// SPDX-License-Identifier: Apache-2.0
// The winches' registers as the bridge sees them: commands and measurements in SI on one side, words on the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "tandem/base/result.hpp"
#include "tandem/machines/cable_robot/description.hpp"

namespace tandem::cable_robot {

// Feedback with the head of its block.
struct WinchReport {
  WinchFeedback winches;
  std::uint16_t counter = 0;  // of the last command, echoed
  std::uint16_t enabled = 0;  // one bit for each winch
  std::uint16_t faults = 0;   // one bit for each winch
  WinchMode mode = WinchMode::hold;
};

// Where a virtual platform really is.
struct WinchTruth {
  std::array<double, 7> pose{};  // x, y, z, qx, qy, qz, qw
  std::array<double, cables::most_cables> tensions{};
};

class WinchRegisters {
 public:
  using Words = std::array<std::uint16_t, 128>;  // room for any block

  explicit WinchRegisters(int winches) : winches_(winches) {}

  int winches() const { return winches_; }
  std::uint16_t all() const { return static_cast<std::uint16_t>((1U << winches_) - 1U); }  // one bit for each winch

  std::span<std::uint16_t> command_words(Words& words) const { return {words.data(), command::count(winches_)}; }
  std::span<std::uint16_t> feedback_words(Words& words) const { return {words.data(), feedback::count(winches_)}; }

  // What does not fit its register goes to the nearest that does; true when that was so. Fault::invalid, naming winch
  // and value, for NaN and for lists of another length.
  Result<bool> encode(const WinchCommand& command, std::uint16_t counter, std::uint16_t enable,
                      std::span<std::uint16_t> words) const;
  // Brakes closed, nothing enabled, no targets.
  void encode_hold(std::uint16_t counter, std::span<std::uint16_t> words) const;
  // Fault::invalid for blocks that are short, and for another number of winches or version of the map than expected.
  Result<WinchReport> decode(std::span<const std::uint16_t> words) const;
  // Of the head alone, 8 words.
  Result<void> check_head(std::span<const std::uint16_t> words) const;

  static void encode_limits(const WinchLimits& limits, std::span<std::uint16_t, limits::count> words);
  // Nothing for invalid words.
  std::optional<WinchTruth> decode_truth(std::span<const std::uint16_t> words) const;

 private:
  int winches_;
};

// What a winch's latched flags mean, the worst of them in words: "overload"; "" when none is set.
const char* fault_name(std::uint16_t flags);

}  // namespace tandem::cable_robot
