// SPDX-License-Identifier: Apache-2.0
// Makes a whole file of what can still be read of a damaged one, beside it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tandem/record/mcap_scan.hpp"

namespace tandem::record {

struct Repaired {
  bool whole = false;                                         // there was nothing to repair, and nothing was written
  std::uint64_t messages = 0, attachments = 0, metadata = 0;  // kept
  std::uint64_t nameless = 0;                                 // messages left out: nothing says of which channel
  std::uint64_t unread = 0;                                   // bytes at the end that make no sense
  std::vector<Problem> problems;                              // the first few: what is lost, and where
};

// `to` must not exist. The order of the file is kept. On an error there is no new file.
Result<Repaired> repair(const std::string& from, const std::string& to,
                        const std::function<void(double)>& progress = {}, const ReadLimits& limits = {});

// "run_repaired.mcap" for "run.mcap".
std::string repaired_name(const std::string& from);

}  // namespace tandem::record
