// SPDX-License-Identifier: Apache-2.0
// prove: random faults and commands on virtual machines, and a checker that judges what was recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tandem/runtime/registry.hpp"

namespace CLI {
class App;
}

namespace tandem::app {

struct ProveArguments {
  std::vector<std::string> machines;  // types; none: all that the checker knows
  std::uint64_t seeds = 1, seed = 1;  // how many, and the first
  double minutes = 1.0 / 3;           // of each
  std::string keep;                   // folder for every recording; empty: those that fail, here
  int jobs = 1;                       // runs at the same time
  bool stepped = false;               // in simulated time
  double speed = 0;                   // of it: maximum; 0: no limit
  std::string play;                   // of one seed: carry out only, into this recording
  bool json = false;
  bool show = false;  // only print the schedule
  std::string check;  // only judge this recording
};
int prove(const ProveArguments& arguments, const runtime::Registry& registry);

// Adds the command to the program. The answer is the command and what runs it.
std::pair<CLI::App*, std::function<int()>> add_prove(CLI::App& program, const runtime::Registry& registry);

}  // namespace tandem::app
