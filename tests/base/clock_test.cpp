// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/clock.hpp"

#include <doctest/doctest.h>

#include <ctime>

namespace tandem {

TEST_CASE("seconds and durations convert both ways") {
  CHECK(seconds(1500ms) == doctest::Approx(1.5));
  CHECK(duration_of(0.002) == 2ms);
  CHECK(duration_of(-1.0) == -1s);
}

TEST_CASE("the system clock is the monotonic clock and stamps are UTC") {
  const SystemClock clock;
  timespec before{};
  timespec after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  const Duration now = clock.now().time_since_epoch();
  clock_gettime(CLOCK_MONOTONIC, &after);
  CHECK(now >= std::chrono::seconds(before.tv_sec) + std::chrono::nanoseconds(before.tv_nsec));
  CHECK(now <= std::chrono::seconds(after.tv_sec) + std::chrono::nanoseconds(after.tv_nsec));

  clock_gettime(CLOCK_REALTIME, &before);
  const Duration utc = clock.utc().time_since_epoch();
  CHECK(utc >= std::chrono::seconds(before.tv_sec) + std::chrono::nanoseconds(before.tv_nsec));
  CHECK(utc < std::chrono::seconds(before.tv_sec + 10));
}

TEST_CASE("the system clock sleeps until the instant and not at all for the past") {
  SystemClock& clock = system_clock();
  const Instant start = clock.now();
  clock.sleep_until(start + 20ms);
  CHECK(clock.now() >= start + 20ms);
  const Instant later = clock.now();
  clock.sleep_until(start - 1h);
  CHECK(clock.now() < later + 5s);
}

TEST_CASE("the manual clock moves only when it is moved") {
  ManualClock clock;
  const Instant start = clock.now();
  CHECK(clock.now() == start);
  clock.advance(3ms);
  CHECK(clock.now() == start + 3ms);
  clock.sleep_until(start + 10ms);
  CHECK(clock.now() == start + 10ms);
  clock.sleep_until(start);  // sleeping never goes back
  CHECK(clock.now() == start + 10ms);
}

TEST_CASE("a jump of UTC leaves the monotonic instant alone") {
  ManualClock clock;
  const Instant start = clock.now();
  const UtcTime utc = clock.utc();
  clock.jump_utc(-1h);
  CHECK(clock.now() == start);
  CHECK(clock.utc() == utc - 1h);
  clock.advance(1s);
  CHECK(clock.utc() == utc - 1h + 1s);
}

}  // namespace tandem
