// SPDX-License-Identifier: Apache-2.0
// A machine whose samples come at a configured rate.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::machines {

// Beside Machine, for those that have one. Far fewer samples than configured are a warning of the runtime.
class Paced {
 public:
  virtual ~Paced() = default;

  // Samples per second as configured.
  virtual double rate() const = 0;
  // What the device makes it wait for: round trips, timeouts. For the warning; on the machine's own thread.
  virtual std::string delays() const = 0;
  // Cycles that were never begun, as their turns were too long ago. On the machine's own thread.
  virtual std::uint64_t skipped() const { return 0; }
};

}  // namespace tandem::machines
