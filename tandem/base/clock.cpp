// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/clock.hpp"

#include <thread>

namespace tandem {

Instant SystemClock::now() const { return std::chrono::steady_clock::now(); }
UtcTime SystemClock::utc() const { return std::chrono::system_clock::now(); }
void SystemClock::sleep_until(Instant instant) { std::this_thread::sleep_until(instant); }

Instant ManualClock::now() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

UtcTime ManualClock::utc() const {
  const std::scoped_lock lock(mutex_);
  return UtcTime(now_.time_since_epoch() + utc_offset_);
}

void ManualClock::sleep_until(Instant instant) {
  const std::scoped_lock lock(mutex_);
  if (instant > now_) now_ = instant;
}

void ManualClock::advance(Duration duration) {
  const std::scoped_lock lock(mutex_);
  now_ += duration;
}

void ManualClock::jump_utc(Duration duration) {
  const std::scoped_lock lock(mutex_);
  utc_offset_ += duration;
}

SystemClock& system_clock() {
  static SystemClock clock;
  return clock;
}

}  // namespace tandem
