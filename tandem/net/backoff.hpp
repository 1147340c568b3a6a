// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next attempt to connect: one rule for every link.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "tandem/base/clock.hpp"

namespace tandem::net {

// 20 ms doubling to 150 ms, 1 s once the peer has been away for five minutes; each up to a quarter shorter by a
// seeded jitter, so that many machines do not retry in step.
class Backoff {
 public:
  explicit Backoff(std::uint64_t seed) : random_(seed) {}
  Backoff() : Backoff(static_cast<std::uint64_t>(now().time_since_epoch().count())) {}

  Duration next(Duration away) {
    const Duration whole = away >= 5min ? Duration(1s) : wait_;
    wait_ = std::min<Duration>(wait_ * 2, longest);
    std::uniform_real_distribution<double> share(0.75, 1.0);
    return duration_of(seconds(whole) * share(random_));
  }
  void reset() { wait_ = shortest; }

 private:
  static constexpr Duration shortest = 20ms, longest = 150ms;
  Duration wait_ = shortest;
  std::mt19937_64 random_;
};

}  // namespace tandem::net
