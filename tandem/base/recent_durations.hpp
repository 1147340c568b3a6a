// SPDX-License-Identifier: Apache-2.0
// The last few hundred durations of something that happens often, such as the round trips to a device. For one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "tandem/base/clock.hpp"

namespace tandem {

class RecentDurations {
 public:
  static constexpr std::size_t most = 256;

  void add(Duration duration) {
    durations_[next_] = duration;
    next_ = (next_ + 1) % most;
    count_ = std::min(count_ + 1, most);
  }
  std::size_t count() const { return count_; }

  // The share `q` of them, 0 to 1, is at most this long; zero when there are none. Sorts a copy: not for every cycle.
  Duration quantile(double q) const {
    if (count_ == 0) return {};
    auto sorted = durations_;
    const auto at = std::min(static_cast<std::size_t>(q * static_cast<double>(count_)), count_ - 1);
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at),
                     sorted.begin() + static_cast<std::ptrdiff_t>(count_));
    return sorted[at];
  }

 private:
  std::array<Duration, most> durations_{};
  std::size_t next_ = 0, count_ = 0;
};

}  // namespace tandem
