// SPDX-License-Identifier: Apache-2.0
// Puts every ROS sample of a context into a recording, as the bytes it went over DDS with.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "tandem/record/sink.hpp"
#include "tandem/ros2/sample_tap.hpp"
#include "tandem/runtime/recording/field_tap.hpp"

namespace tandem::runtime {

class RecordedTopics final : public ros2::SampleTap {
 public:
  // Log times are those of the file's clock; the samples' own stamps are their publish times.
  RecordedTopics(record::Sink& sink, const FileClock& clock) : sink_(sink), clock_(clock) {}

  // The handle is the recording's channel, and which of its publishers it is where they are latched; samples of a type
  // whose text is not known have none. The channel's metadata say its direction: "out" is what this tandem says by
  // itself, "in" what others told it. A topic by which something here may move has a channel "in" in every file, also
  // where only tandem itself has said something on it.
  std::uint32_t opened(const ros2::TappedTopic& topic) override;
  void closed(std::uint32_t handle) override;
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override;
  // A publisher of this topic that is opened until the next call speaks for a viewer of the page: what it says comes
  // in. Empty: none. Any thread.
  void viewer_publishes(std::string_view topic);

 private:
  bool is_of_viewer(const std::string& topic) const;

  record::Sink& sink_;
  const FileClock clock_;
  mutable std::mutex mutex_;
  std::string of_viewer_;                                         // guarded
  std::map<record::ChannelId, std::set<std::uint16_t>> sources_;  // guarded: of latched channels, those that are open
};

}  // namespace tandem::runtime
