// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong in the virtual vehicle, on purpose and one by one, to test those who talk to it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace tandem::orca {

// Any thread may set them while the vehicle runs.
class VehicleFaults {
 public:
  enum Kind : std::size_t {
    no_acknowledgement,  // of a command that was done
    doubled_frame,       // sent twice with one sequence number
    broken_frame,        // a bit of it is wrong
    lost_frame,          // its sequence number is used all the same
    disarm_itself,       // as a pilot at the vehicle would
    change_mode,         // to MANUAL, the same
    estimator_reset,     // the horizontal position jumps by a metre
    restart,             // as after power was gone: all but body, parameters and mission restarts
    disconnect,          // TCP clients are closed
    kind_count
  };
  static constexpr int always = 1 << 30;

  // The next `count` occasions.
  void next(Kind kind, int count = 1) { left_[kind].store(count); }
  // How often a fault has happened.
  int happened(Kind kind) const { return happened_[kind].load(); }
  // Of the vehicle's own thread: whether it is due now, which is then counted.
  bool due(Kind kind) {
    if (left_[kind].load() <= 0) return false;
    left_[kind].fetch_sub(1);
    happened_[kind].fetch_add(1);
    return true;
  }

  // While true:
  std::atomic<bool> silent{false};          // nothing is sent at all
  std::atomic<bool> heartbeat_only{false};  // streams stop, the heartbeat goes on
  std::atomic<bool> no_heartbeat{false};    // the other way round
  std::atomic<bool> sonar_zero{false};      // RANGEFINDER says 0
  std::atomic<bool> sonar_frozen{false};    // it keeps its last value
  std::atomic<bool> leak{false};            // water in the hull
  std::atomic<bool> battery_low{false};     // 13 V instead of 16
  std::atomic<bool> clock_wild{false};      // TIMESYNC answers are seconds off, in both directions
  std::atomic<int> progress_for_ever{0};    // commands are answered with IN_PROGRESS and nothing else

 private:
  std::array<std::atomic<int>, kind_count> left_{};
  std::array<std::atomic<int>, kind_count> happened_{};
};

}  // namespace tandem::orca
