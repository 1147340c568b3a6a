// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong with the virtual winches and their cables, on purpose and one by one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/protocols/modbus/device_faults.hpp"

namespace tandem::cable_robot {

// Those of any virtual device on Modbus (but for torn values: a block is read whole here), and those of this one. Any
// thread may set them while the robot runs.
class WinchFaults : public modbus::DeviceFaults {
 public:
  // While a winch has its bit here:
  std::atomic<std::uint16_t> cut{0};     // its cable pulls no more
  std::atomic<std::uint16_t> stuck{0};   // its drum does not turn
  std::atomic<std::uint16_t> broken{0};  // its load cell says 0, and is known to be broken

  std::atomic<bool> beat_frozen{false};      // the device's counter stands still
  std::atomic<bool> feedback_frozen{false};  // all feedback but the head keeps its values

  // The cable slips on its drum by this many metres, which no encoder sees.
  void slip(int winch, double metres) { slips_[static_cast<std::size_t>(winch)].store(metres); }
  // Of the device's own thread: how far it has slipped since it was asked last, m.
  double take_slip(int winch) { return slips_[static_cast<std::size_t>(winch)].exchange(0); }

 private:
  std::array<std::atomic<double>, cables::most_cables> slips_{};
};

}  // namespace tandem::cable_robot
