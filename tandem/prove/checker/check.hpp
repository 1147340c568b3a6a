// SPDX-License-Identifier: Apache-2.0
// Judges a history by eight invariants (docs/prove.md). Independent of what it judges: it reads the recording, decodes
// the field protocols by itself, and knows the documents' bounds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/prove/checker/history.hpp"

namespace tandem::prove::checker {

enum Invariant : std::uint8_t {
  complete,         // not one of the eight: the history itself
  armed_motion,     // no motion without an arm that is in force, beyond the documented coast
  command_age,      // no command on the wire older than its limit
  loss_standstill,  // after a loss standstill within the documented distance and time
  goals_end,        // every accepted goal ends exactly once
  stop_holds,       // a stop holds until reset
  link_returns,     // a link that is possible comes back within its bound
  no_disturbance,   // no machine disturbs another
  published_wire,   // what was published equals what the wire said
};
inline constexpr std::size_t invariant_count = 9;
std::string_view name(Invariant invariant);

struct Violation {
  Invariant invariant{};
  std::string machine;
  double t = 0;  // s since the beginning
  std::string expected, got;
};
std::string text_of(const Violation& violation);  // a line

struct Counts {
  std::uint64_t faults = 0, commands = 0, motions = 0;  // carried out
  std::uint64_t arms = 0, losses = 0, goals = 0;        // accepted arms, links lost while armed, accepted goals
  double moving = 0;                                    // s in which machines that can be armed moved, all together
  Counts& operator+=(const Counts& other);
};

struct Report {
  std::vector<Violation> violations;                     // at most ten of a kind and machine
  std::array<std::uint64_t, invariant_count> judged{};   // how often each was looked at
  std::array<std::uint64_t, invariant_count> skipped{};  // not judged, as the host was late
  std::array<std::uint64_t, invariant_count> broken{};   // violations, also those that are not listed
  Counts counts;
  Report& operator+=(const Report& other);
};

Report check(const History& history);

}  // namespace tandem::prove::checker
