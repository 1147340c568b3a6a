// SPDX-License-Identifier: Apache-2.0
// What benches of cycles share: clocks that note or do not wait, a bare loop to stand beside, and how late they were.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/base/clock.hpp"

namespace bench {

using namespace tandem;

[[noreturn]] inline void give_up(const std::string& why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

inline Instant in(Duration duration) { return system_clock().now() + duration; }

// Serves until its thread is stopped.
template <typename Server>
std::jthread polling(Server& server) {
  return std::jthread([&server](const std::stop_token& stop) {
    while (!stop.stop_requested()) server.poll(in(20ms));
  });
}

// Never waits: for the cost of cycles one after the other.
class HastyClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc(); }
  void sleep_until(Instant) override {}
};

class NotingClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc(); }
  void sleep_until(Instant instant) override {
    system_clock().sleep_until(instant);
    if (instant >= from) late.push_back(1e6 * seconds(system_clock().now() - instant));
  }

  Instant from = Instant::max();  // nothing is noted before
  std::vector<double> late;       // us
};

inline void bare_loop(Instant begin, Instant end, Duration period, std::vector<double>& late) {
  for (Instant due = begin; due < end; due += period) {
    const auto since = due.time_since_epoch().count();
    const timespec wake{static_cast<time_t>(since / 1'000'000'000), static_cast<long>(since % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) != 0) {
    }
    late.push_back(1e6 * seconds(system_clock().now() - due));
  }
}

inline std::size_t count_over(const std::vector<double>& late, Duration limit) {
  return static_cast<std::size_t>(
      std::count_if(late.begin(), late.end(), [&](double each) { return each > 1e6 * seconds(limit); }));
}

inline void print_late_head(Duration limit) {
  fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>12}\n", "cycles begin late, us", "p50", "p99", "p99.9", "worst",
             fmt::format("over {:g} ms", 1e3 * seconds(limit)));
}
inline void print_late(const std::string& what, const std::vector<double>& late, Duration limit) {
  fmt::print("{:<34} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>12}\n", what, quantile(late, 0.5), quantile(late, 0.99),
             quantile(late, 0.999), quantile(late, 1), count_over(late, limit));
}

}  // namespace bench
