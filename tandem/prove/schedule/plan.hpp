// SPDX-License-Identifier: Apache-2.0
// A random schedule for each machine: commands, motions and faults, three strands that know nothing of each other. The
// same seed, machines and length give the same schedule on every computer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tandem/prove/schedule/action.hpp"

namespace tandem::prove {

struct Subject {
  std::string name;
  bool moves = true;       // it can be armed, and moved over ROS
  bool goals = false;      // it takes goals of an action
  bool stamped = false;    // its motions carry a stamp
  bool datagrams = false;  // its link loses single frames; a stream that loses bytes is broken
};

inline constexpr double calm_end = 3.2;  // s at the end without a fault, so that links can come back

// By time; `length` in s. A machine's strands depend on the seed and its name, not on the other machines.
std::vector<Action> plan(std::uint64_t seed, std::span<const Subject> machines, double length);

}  // namespace tandem::prove
