// SPDX-License-Identifier: Apache-2.0
// Faults in time: a file that can be shared and repeated.
//   seed: 7
//   faults:
//     - { at: 0s, for: 10s, machine: lift, faults: delay=50ms loss=1% }
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/runtime/chaos/terms.hpp"

namespace tandem::runtime::chaos {

struct Entry {
  Duration at{};
  std::string machine;
  Terms terms;  // with length; with the seed of the schedule plus the number of the entry where it has none of its own
};

struct Schedule {
  std::uint64_t seed = 0;
  std::vector<Entry> entries;  // in the order of their beginning
};

// Any text. `only`: the machine of entries that name none, and then of all; empty: every entry names one. Throws
// yaml::FileError with the place of each problem: unknown keys and terms, and entries of one machine that overlap.
Schedule parse_schedule(std::string_view text, const std::string& file, std::string_view only = {});
std::string text_of(const Schedule& schedule);
// When the last fault is over.
Duration length_of(const Schedule& schedule);

struct Target {
  std::string machine;
  bool streams = false, datagrams = false;  // what its links are
};
// Faults that suit the links, one after the other on each machine, for so long. The same seed and targets give the same
// schedule on every computer.
Schedule random_schedule(std::uint64_t seed, Duration length, std::span<const Target> targets);

}  // namespace tandem::runtime::chaos
