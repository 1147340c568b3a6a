// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong in the virtual PLC, on purpose and one by one, to test those who talk to it.
#pragma once

#include <atomic>

#include "tandem/protocols/modbus/device_faults.hpp"

namespace tandem::raptorlift {

// Those of any virtual device on Modbus, and those of this one.
class PlcFaults : public modbus::DeviceFaults {
 public:
  // While true, or while it names a coil (0 to 4 for M0 to M4):
  std::atomic<bool> heartbeat_frozen{false};  // D25 stands still
  std::atomic<bool> feedback_frozen{false};   // D16 to D23 keep their values
  std::atomic<bool> feedback_wild{false};     // D16 to D23 are numbers that no truck measures
  std::atomic<int> refused_coil{-1};          // writes to it are answered with device_failure and not done
};

}  // namespace tandem::raptorlift
