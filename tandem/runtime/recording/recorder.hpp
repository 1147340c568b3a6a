// SPDX-License-Identifier: Apache-2.0
// Keeps a running tandem in a recording, on one clock: raw field frames of both directions, ROS samples, what happened,
// what was commanded, and what the page shows, twins and residuals among it.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "tandem/runtime/config/web.hpp"
#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/recording/recorded_topics.hpp"

namespace tandem::runtime {

class RecordingWriter {
 public:
  // Throws std::runtime_error when the file cannot be made. `watched` is asked by run() only.
  RecordingWriter(const RecordConfig& config, const Watched& watched, Clock& clock, const std::string& version);

  ros2::SampleTap& topics() { return topics_; }
  // For those who record more into the same file.
  record::Recorder& recorder() { return recorder_; }
  // The tap for a machine's sockets; null when frames are not wanted.
  net::Tap* field(const std::string& machine, std::string_view type, std::string_view device);

  // Any thread.
  void tell(const Event& event);
  void commanded(std::string_view machine, std::string_view what, std::string_view by, bool ok, std::string_view text);
  void viewer_publishes(std::string_view topic) { topics_.viewer_publishes(topic); }
  RecordingStatus status() const;
  // Writes everything out and ends the file, after run(). What is reported from here on is lost.
  RecordingStatus finish();

  void run(const std::stop_token& stop);

 private:
  void keep(Live what, const std::string& message);
  static RecordingStatus status_from(const record::RecorderCounts& counts);

  const RecordConfig config_;
  const Watched& watched_;
  Clock& clock_;
  const FileClock file_clock_;
  record::Recorder recorder_;
  RecordedTopics topics_;
  std::array<record::ChannelId, 5> channels_{};
  std::map<std::string, std::unique_ptr<FieldTap>> fields_;
};

}  // namespace tandem::runtime
