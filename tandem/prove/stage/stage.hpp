// SPDX-License-Identifier: Apache-2.0
// Carries out a schedule on machines with virtual devices in this process, and records all of it.
#pragma once

#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/prove/schedule/plan.hpp"
#include "tandem/runtime/registry.hpp"

namespace tandem::prove {

struct StageOptions {
  std::vector<std::string> machines;  // types, each once; a machine is named as its type
  std::uint64_t seed = 1;
  double length = 20;  // s
  std::string file;    // the recording
  std::string folder;  // for the control socket; short, as socket paths are
  // In simulated time (base/stepped_time.hpp) and without ROS: a seed gives the same history each time. One at a time
  // in a process.
  bool stepped = false;
  double speed = 0;  // of simulated time: maximum, in multiples of real time; 0: no limit
};

struct Played {
  std::string file;   // a number is added to the name of one that exists
  double took = 0;    // s of real time, with start and end
  std::string error;  // empty: it was carried out
};

std::vector<Action> schedule_of(const StageOptions& options);
// Never throws.
Played play(const StageOptions& options, const runtime::Registry& registry);

}  // namespace tandem::prove
