// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/arm_latch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::runtime {

const char* name(ArmState state) {
  switch (state) {
    case ArmState::disarmed:
      return "disarmed";
    case ArmState::armed:
      return "armed";
    case ArmState::stopped:
      return "stopped";
  }
  return "?";
}

void ArmLatch::enter(ArmState state, std::string_view cause, std::string_view by) {
  armed_.store(state == ArmState::armed, std::memory_order_release);
  stopped_.store(state == ArmState::stopped, std::memory_order_release);
  status_ = {state, cause, by};
}

Result<void> ArmLatch::arm(std::string_view by) {
  const std::lock_guard lock(mutex_);
  if (status_.state == ArmState::stopped) {
    return Error{Fault::busy, fmt::format("stopped by {} ({}): reset first", status_.by.view(), status_.cause.view())};
  }
  if (!live_) return Error{Fault::busy, "the link is not live"};
  const Duration quiet = clock_.now().time_since_epoch() - Duration(last_cycle_.load(std::memory_order_acquire));
  if (quiet > longest_pause_) {
    return Error{Fault::busy, fmt::format("the machine's thread has not run for {:.1f} s", seconds(quiet))};
  }
  if (status_.state == ArmState::armed) return {};
  arms_.fetch_add(1, std::memory_order_acq_rel);
  enter(ArmState::armed, "armed", by);
  return {};
}

bool ArmLatch::stop(std::string_view cause, std::string_view by) {
  const std::lock_guard lock(mutex_);
  if (status_.state == ArmState::stopped) return false;
  enter(ArmState::stopped, cause, by);
  return true;
}

void ArmLatch::reset(std::string_view by) {
  const std::lock_guard lock(mutex_);
  enter(ArmState::disarmed, "reset", by);
}

ArmStatus ArmLatch::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void ArmLatch::link_live() {
  const std::lock_guard lock(mutex_);
  live_ = true;
}

bool ArmLatch::link_lost(std::string_view cause) {
  const std::lock_guard lock(mutex_);
  live_ = false;
  if (status_.state != ArmState::armed) return false;
  enter(ArmState::disarmed, cause, "link");
  return true;
}

bool ArmLatch::disarm(std::string_view cause, std::string_view by) {
  if (!armed_.load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(mutex_);
  if (status_.state != ArmState::armed) return false;
  enter(ArmState::disarmed, cause, by);
  return true;
}

machines::Permit ArmLatch::permit(bool& paused, Instant live_until) {
  const Instant now = clock_.now();
  const Duration before(last_cycle_.load(std::memory_order_relaxed));
  const Duration pause = now.time_since_epoch() - before;
  paused = before.count() != 0 && pause > longest_pause_ && armed_.load(std::memory_order_acquire) &&
           disarm(fmt::format("the process was paused for {:.1f} s", seconds(pause)), "watchdog");
  last_cycle_.store(now.time_since_epoch().count(), std::memory_order_release);
  return {armed_, clock_, std::min(now + longest_pause_, live_until), &stopped_, &arms_};
}

}  // namespace tandem::runtime
