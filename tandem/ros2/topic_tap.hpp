// SPDX-License-Identifier: Apache-2.0
// Where the context's tap sits on one endpoint: reports of its beginning and end, and of each sample.
#pragma once

#include "tandem/ros2/sample_tap.hpp"

namespace tandem::ros2 {

class TopicTap {
 public:
  // Null: no tap.
  TopicTap(SampleTap* tap, const TappedTopic& topic) : tap_(tap), handle_(tap == nullptr ? 0 : tap->opened(topic)) {}
  ~TopicTap() {
    if (tap_ != nullptr) tap_->closed(handle_);
  }
  TopicTap(const TopicTap&) = delete;
  TopicTap& operator=(const TopicTap&) = delete;

  explicit operator bool() const { return tap_ != nullptr; }
  void pass(Bytes cdr) const noexcept { tap_->passed(handle_, cdr, system_clock().utc()); }

 private:
  SampleTap* tap_;
  std::uint32_t handle_;
};

}  // namespace tandem::ros2
