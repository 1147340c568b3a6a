// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/clock.hpp"

#include <thread>

#include "tandem/base/stepped_time.hpp"

namespace tandem {

Instant SystemClock::now() const { return tandem::now(); }

UtcTime SystemClock::utc() const {
  if (!SteppedTime::active()) return std::chrono::system_clock::now();
  return SteppedTime::utc_origin + (tandem::now() - SteppedTime::origin);
}

void SystemClock::sleep_until(Instant instant) {
  if (SteppedTime::active())
    SteppedTime::wait({}, instant);
  else
    std::this_thread::sleep_until(instant);
}

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
