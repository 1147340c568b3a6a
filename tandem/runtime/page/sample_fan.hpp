// SPDX-License-Identifier: Apache-2.0
// One tap of a ROS context as several: the page's and the recorder's.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "tandem/ros2/sample_tap.hpp"

namespace tandem::runtime {

// Taps may be added at any time, see what is opened from then on, and outlive the context.
class SampleFan final : public ros2::SampleTap {
 public:
  void add(ros2::SampleTap& tap);

  std::uint32_t opened(const ros2::TappedTopic& topic) override;
  void closed(std::uint32_t handle) override;
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override;

  static constexpr std::size_t most_taps = 2, most_topics = 4096;

 private:
  using Handles = std::array<std::optional<std::uint32_t>, most_taps>;  // none: the tap came later

  std::array<std::atomic<ros2::SampleTap*>, most_taps> taps_{};
  std::mutex mutex_;
  std::vector<std::uint32_t> free_;  // guarded, as is used_
  std::uint32_t used_ = 0;
  std::array<Handles, most_topics> handles_{};  // each of its own endpoint's threads
};

}  // namespace tandem::runtime
