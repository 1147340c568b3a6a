// SPDX-License-Identifier: Apache-2.0
// The arm latch: decides whether a machine's outputs may leave. Reading comes back by itself, motion never does.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::runtime {

enum class ArmState : std::uint8_t {
  disarmed,
  armed,
  stopped,  // latched: only reset releases it, and leaves disarmed
};
const char* name(ArmState state);

struct ArmStatus {
  ArmState state = ArmState::disarmed;
  ShortText<160> cause;  // why it is so
  ShortText<64> by;      // who or what made it so
};

// Commands come from any thread; the machine's thread reports its link and takes a permit per cycle. The mutex is
// taken on changes and by commands only: permit() and Permit::armed() read atomics.
class ArmLatch {
 public:
  // A machine's thread that does not begin a cycle for `longest_pause` is disarmed, and its permits lapse.
  ArmLatch(const Clock& clock, Duration longest_pause) : clock_(clock), longest_pause_(longest_pause) {}

  // Any thread. Refused unless the link is live, its thread runs, and no stop is latched.
  Result<void> arm(std::string_view by);
  // Any thread, any time: nothing leaves from here on. The first stop's cause and author are kept; false: this is not
  // the first.
  bool stop(std::string_view cause, std::string_view by);
  // Any thread: releases a latched stop. Always ends disarmed.
  void reset(std::string_view by);
  ArmStatus status() const;

  // The machine's thread. Those that give a bool say whether they disarmed.
  void link_live();
  bool link_lost(std::string_view cause);  // lost, stale: whatever is not live
  bool disarm(std::string_view cause, std::string_view by);
  // The permit of the cycle that begins now; `paused` reports that a pause since the last one disarmed.
  machines::Permit permit(bool& paused, Instant live_until = Instant::max());

 private:
  void enter(ArmState state, std::string_view cause, std::string_view by);

  const Clock& clock_;
  const Duration longest_pause_;
  std::atomic<bool> armed_{false}, stopped_{false};
  std::atomic<std::uint64_t> arms_{0};
  std::atomic<Duration::rep> last_cycle_{0};  // steady clock, ns
  mutable std::mutex mutex_;
  bool live_ = false;  // guarded, as is status_
  ArmStatus status_{ArmState::disarmed, "never armed", ""};
};

}  // namespace tandem::runtime
