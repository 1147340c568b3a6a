// SPDX-License-Identifier: Apache-2.0
// Which measurements of the winches are believed. Modbus TCP has no checksum of its own, and a 32-bit value may be read
// while a device is writing its second half.
#pragma once

#include <cstdint>

#include "tandem/machines/cable_robot/description.hpp"
#include "tandem/machines/kit/verdict.hpp"

namespace tandem::cable_robot {

class Gate {
 public:
  explicit Gate(const WinchLimits& limits) : limits_(limits) {}

  // Out of range: never. A jump, beyond what a drum can turn in `dt` seconds: only when the next sample says the same,
  // so a torn value never passes, and a true jump costs one sample.
  machines::Verdict judge(const WinchFeedback& measured, double dt);
  // The next sample has none before it.
  void forget() {
    last_.resize(0);
    suspect_.resize(0);
  }

  std::uint64_t jumps() const { return jumps_; }  // samples that were not believed for their jump

 private:
  // The first cable that is further from where it was than it can have gone; -1: none.
  int jumped(const cables::PerCable& from, const cables::PerCable& to, double dt) const;

  WinchLimits limits_;
  cables::PerCable last_;     // lengths believed; empty at first
  cables::PerCable suspect_;  // those after it, when they jumped
  std::uint64_t jumps_ = 0;
};

}  // namespace tandem::cable_robot
