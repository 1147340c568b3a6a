// SPDX-License-Identifier: Apache-2.0
// Keeps a running tandem in a file, or the last minute of it in memory, or both, on one clock: raw field frames of both
// directions, ROS samples, what happened, what was commanded, where the physics of virtual devices was, and what the
// page shows, twins and residuals among it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "tandem/record/recorder.hpp"
#include "tandem/runtime/config/web.hpp"
#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/recording/incidents.hpp"
#include "tandem/runtime/recording/recorded_topics.hpp"

namespace tandem::runtime {

// What is wanted: at least one of the two.
struct RecordingOptions {
  RecordConfig file;  // without a name: no file
  BlackBoxConfig black_box;
  std::string incidents;  // folder; empty: no black box
  std::string version;
};

class RecordingWriter {
 public:
  // Throws std::runtime_error when the file cannot be made. `watched` is asked by run() only; `on_event` learns of
  // incidents.
  RecordingWriter(const RecordingOptions& options, const Watched& watched, Clock& clock, const OnEvent& on_event);

  ros2::SampleTap& topics() { return topics_; }
  // For those who record more into the same file.
  record::Recorder& recorder() { return recorder_; }
  // The tap for a machine's sockets; null when frames are not wanted.
  net::Tap* field(const std::string& machine, std::string_view type, std::string_view device);

  // Any thread.
  void tell(const Event& event);
  void commanded(std::string_view machine, std::string_view what, std::string_view by, bool ok, std::string_view text);
  void viewer_publishes(std::string_view topic) { topics_.viewer_publishes(topic); }
  void happened(const Incident& incident);
  std::optional<RecordingStatus> status() const;    // nothing: no file
  std::optional<BlackBoxStatus> black_box() const;  // nothing: none
  std::vector<IncidentStatus> incidents() const;    // newest first
  // Writes the black box now; the file, or why there will be none. A thread that may wait for a disk.
  Result<std::string> snapshot(Incident incident);
  // Writes everything out and ends the files, after run(). What is reported from here on is lost.
  std::optional<RecordingStatus> finish();

  void run(const std::stop_token& stop);

 private:
  record::Sink& all();
  record::Sink* frames();  // null: none are wanted
  void keep(Live what, const std::string& message);
  void say(Live what);
  void keep_truths(Instant now);
  void keep_status(Instant now);
  void watch_residuals();

  const RecordConfig config_;
  const Watched& watched_;
  Clock& clock_;
  const FileClock file_clock_;
  const std::unique_ptr<record::Recorder> file_;  // null: none
  const std::unique_ptr<record::BlackBox> box_;   // null: none
  const std::unique_ptr<record::Tee> both_;       // null: one of them is
  const std::unique_ptr<Incidents> incidents_;    // null: no black box
  const std::string folder_;
  RecordedTopics topics_;
  std::array<record::ChannelId, 5> channels_{};
  std::map<std::string, std::unique_ptr<FieldTap>> fields_;

  // Of run().
  std::map<std::string_view, record::ChannelId> truths_;
  std::set<std::string_view> alarmed_;  // machines whose residual is above its limit
  std::string message_;
};

}  // namespace tandem::runtime
