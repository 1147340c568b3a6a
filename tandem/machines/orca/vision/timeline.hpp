// SPDX-License-Identifier: Apache-2.0
// The last samples of something that changes steadily, to be asked for any moment between them.
#pragma once

#include <array>
#include <cstddef>

#include "tandem/base/clock.hpp"

namespace tandem::orca {

template <typename T, std::size_t Room = 64>
class Timeline {
 public:
  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }
  const T& newest() const { return sample(count_ - 1).value; }
  Instant newest_at() const { return sample(count_ - 1).at; }

  // One that is not later than the newest takes its place; much earlier ones mean that time was put back.
  void add(Instant at, const T& value) {
    if (!empty() && at <= newest_at()) {
      if (newest_at() - at > 1s) clear();
      if (!empty()) --count_;
    }
    if (count_ == Room) {
      first_ = (first_ + 1) % Room;
      --count_;
    }
    samples_[(first_ + count_) % Room] = {at, value};
    ++count_;
  }

  // Between two samples in proportion, outside of them the nearest. There must be one.
  T at(Instant moment) const {
    std::size_t after = count_;
    while (after > 0 && sample(after - 1).at > moment) --after;
    if (after == 0) return sample(0).value;
    if (after == count_) return newest();
    const Sample& a = sample(after - 1);
    const Sample& b = sample(after);
    const double share = seconds(moment - a.at) / seconds(b.at - a.at);
    return a.value + (b.value - a.value) * share;
  }

 private:
  struct Sample {
    Instant at{};
    T value{};
  };
  const Sample& sample(std::size_t i) const { return samples_[(first_ + i) % Room]; }

  std::array<Sample, Room> samples_{};
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace tandem::orca
