// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/sample_fan.hpp"

#include <stdexcept>

namespace tandem::runtime {

void SampleFan::add(ros2::SampleTap& tap) {
  const std::lock_guard lock(mutex_);
  for (auto& place : taps_) {
    if (place.load() != nullptr) continue;
    place.store(&tap);
    return;
  }
  throw std::logic_error("too many taps");
}

std::uint32_t SampleFan::opened(const ros2::TappedTopic& topic) {
  std::uint32_t handle = most_topics;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      handle = free_.back();
      free_.pop_back();
    } else if (used_ < most_topics) {
      handle = used_++;
    }
  }
  if (handle == most_topics) return handle;  // more than anyone has: passes unseen
  for (std::size_t i = 0; i < most_taps; ++i) {
    ros2::SampleTap* tap = taps_[i].load();
    handles_[handle][i] = tap == nullptr ? std::nullopt : std::optional(tap->opened(topic));
  }
  return handle;
}

void SampleFan::closed(std::uint32_t handle) {
  if (handle >= most_topics) return;
  for (std::size_t i = 0; i < most_taps; ++i) {
    if (handles_[handle][i]) taps_[i].load()->closed(*handles_[handle][i]);
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(handle);
}

void SampleFan::passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept {
  if (handle >= most_topics) return;
  for (std::size_t i = 0; i < most_taps; ++i) {
    if (handles_[handle][i]) taps_[i].load(std::memory_order_acquire)->passed(*handles_[handle][i], cdr, stamp);
  }
}

}  // namespace tandem::runtime
