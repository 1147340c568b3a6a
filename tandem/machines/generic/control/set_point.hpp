// SPDX-License-Identifier: Apache-2.0
// One output between its commands and the wire: moves at its rate from what the device has, falls idle when its
// command is too old, ends its pulses. Knows no device and no latch.
#pragma once

#include <cstdint>
#include <optional>

#include "tandem/machines/generic/commands.hpp"
#include "tandem/machines/generic/outputs.hpp"

namespace tandem::generic {

class SetPoint {
 public:
  // `cycle` in s: what the first step lasts, and half of the longest.
  SetPoint(const OutputInfo& output, double cycle) : output_(&output), cycle_(cycle) {}

  // Commands and everything that followed from them.
  void forget() { *this = SetPoint(*output_, cycle_); }
  bool active() const { return active_; }
  bool idle() const { return active_ && idle_; }

  // `present`: what the device has now, NaN if not known. It is the start of an output with a rate.
  Result<void> take(const Command& command, Instant now, double present);
  // What is to be on the device from now on; nothing: leave it as it is. `followed`: of the signal that idle follows.
  std::optional<double> step(Instant now, double followed);

 private:
  enum class Pulse : std::uint8_t { rest, clearing, on };

  Result<void> take_pulse(bool on, Instant now, double present);
  std::optional<double> step_pulse(Instant now);
  std::optional<double> goal(Instant now, double followed);

  const OutputInfo* output_;
  double cycle_;
  bool active_ = false;  // a command was taken
  bool idle_ = false;    // and is too old
  double target_ = 0, value_ = 0;
  Instant commanded_{}, moved_{};
  Pulse pulse_ = Pulse::rest;
  Instant pulse_until_{};
};

}  // namespace tandem::generic
