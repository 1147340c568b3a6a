// SPDX-License-Identifier: Apache-2.0
// From a description and a PLC to signals: every variable is looked up, its type checked, and given a handle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/machines/generic/ads_signals.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::generic {

struct AdsLearned {
  AdsSignals signals;
  struct Access {
    std::uint32_t handle = 0;
    std::string problem;  // why it cannot be read or written; empty: it can
  };
  std::vector<Access> items;  // as AdsSignals::items
  Access heartbeat;
  Type heartbeat_type = Type::unknown;
  bool sums = true;                   // the PLC looks up many names at once
  std::vector<std::string> problems;  // all of them: signals that are missing, or of another type than the file says
  std::vector<Note> notes;
};

// With `before`, what was learned from the program that ran before: a signal with a problem stays in the list as it was
// there. Without it such a signal has no value. The caller decides whether problems are errors. Optional signals that
// are missing are none. An error is a lost link.
Result<AdsLearned> learn_signals(ads::Client& client, const Description& description, const PlcTypeTable& declared,
                                 const AdsSignals* before, Duration round_trip);

// Whether both lists mean the same readings.
bool same_signals(const std::vector<Signal>& a, const std::vector<Signal>& b);

}  // namespace tandem::generic
