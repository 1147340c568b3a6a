// SPDX-License-Identifier: Apache-2.0
// The chaos of one machine as `tandem chaos` reads it from the control socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::runtime::chaos {

struct PathReport {
  std::uint64_t chunks = 0, bytes = 0;                       // that came in
  std::uint64_t dropped = 0, duplicated = 0, reordered = 0;  // chunks
  std::uint64_t corrupted = 0;                               // bytes
};

// What a run came to.
struct RunResult {
  std::uint64_t run = 0;  // counts up for each machine, from 1
  std::string text;       // one line
};

struct Report {
  std::string machine;
  bool is_virtual = false;
  bool streams = false, datagrams = false;  // what its links are
  bool active = false;                      // faults are on
  bool measuring = false;                   // or were, and what they did is still being measured
  std::uint64_t run = 0;                    // the newest; 0: none yet
  std::string terms, by;                    // of the newest run; the terms with their seed
  double remaining = 0;                     // s of it
  std::string state, quality, arm;          // of the machine now
  double rate = 0, age = -1;                // live samples per second; of the newest one, s, negative: there was none
  std::string unit;                         // of the truth, "m" or "rad"; empty: no truth
  double moved = 0, speed = 0;              // of the newest run until its end, by truth: since its beginning, and then
  PathReport to_device, to_client;          // since the beginning of the newest run
  std::uint64_t cuts = 0, connections = 0;  // so
  std::vector<RunResult> results;           // newest last
};

std::string json_from_reports(const std::vector<Report>& reports);  // one line
Result<std::vector<Report>> reports_from_json(std::string_view json);

// "812 chunks (40.1 kB) to the device, 3 dropped; ...".
std::string counts_text(const Report& report);
// "moved 0.312 m, 0.45 m/s"; empty: no truth.
std::string motion_text(const Report& report);

}  // namespace tandem::runtime::chaos
