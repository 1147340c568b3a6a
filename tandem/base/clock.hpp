// SPDX-License-Identifier: Apache-2.0
// Time: a monotonic instant for every decision, UTC only for stamps that people and ROS read.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace tandem {

using Duration = std::chrono::nanoseconds;
using Instant = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using UtcTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

using namespace std::chrono_literals;

constexpr double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
constexpr std::int64_t milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

namespace detail {
// The simulated instant while time is stepped (base/stepped_time.hpp); negative: time is real.
inline std::atomic<std::int64_t> stepped_nanoseconds{-1};
}  // namespace detail

// CLOCK_MONOTONIC, also where time is stepped.
inline Instant real_now() { return std::chrono::steady_clock::now(); }
// For those who wait for sockets; all others are given a Clock. Simulated while time is stepped.
inline Instant now() {
  const std::int64_t stepped = detail::stepped_nanoseconds.load(std::memory_order_relaxed);
  return stepped < 0 ? real_now() : Instant(Duration(stepped));
}

constexpr Duration duration_of(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

// Passed in wherever time matters, so that tests and simulation can run faster than real time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() const = 0;
  virtual UtcTime utc() const = 0;
  virtual void sleep_until(Instant instant) = 0;
};

// The machine's own clocks: CLOCK_MONOTONIC and CLOCK_REALTIME; or simulated ones, while time is stepped.
class SystemClock final : public Clock {
 public:
  Instant now() const override;
  UtcTime utc() const override;
  void sleep_until(Instant instant) override;
};

// Stands still until it is moved; sleeping moves it. UTC can be made to jump on its own, as clocks do.
class ManualClock final : public Clock {
 public:
  Instant now() const override;
  UtcTime utc() const override;
  void sleep_until(Instant instant) override;
  void advance(Duration duration);
  void jump_utc(Duration duration);

 private:
  mutable std::mutex mutex_;
  Instant now_{1h};
  Duration utc_offset_{1'000'000h / 2};
};

SystemClock& system_clock();

}  // namespace tandem
