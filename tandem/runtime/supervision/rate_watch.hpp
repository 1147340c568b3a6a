// SPDX-License-Identifier: Apache-2.0
// Notices that a machine's samples come more seldom than configured, and why. For one thread.
#pragma once

#include <optional>
#include <string>

#include "tandem/base/clock.hpp"

namespace tandem::runtime {

// What share of the time since the last call the calling thread was ready to run and had no CPU, 0 to 1; nothing at the
// first call, and where the kernel does not report.
class CpuWait {
 public:
  std::optional<double> take();

 private:
  std::optional<Duration> waited_;  // of the thread's life
  Instant at_{};
};

class RateWatch {
 public:
  // Rate in samples per second; 0: none is configured, and nothing is watched.
  explicit RateWatch(double expected) : expected_(expected) {}

  // A window of a second or so has passed with this rate. True when the warning has come or gone: a rate below 80 % for
  // three windows in a row is one, and three others end it, so that a busy host does not make it flap.
  bool take(double rate);
  // The link is lost: the next one is judged for itself.
  void forget() {
    slow_ = false;
    windows_ = 0;
  }
  bool slow() const { return slow_; }
  bool watches() const { return expected_ > 0; }

  // "22 Hz instead of 100 Hz: ...". `delays` is what the machine knows of its device; may be empty.
  std::string reason(double rate, const std::string& delays, std::optional<double> cpu_wait) const;

 private:
  double expected_;
  bool slow_ = false;
  int windows_ = 0;  // in a row that say otherwise
};

}  // namespace tandem::runtime
