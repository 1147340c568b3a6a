// SPDX-License-Identifier: Apache-2.0
// Plays a recording to those who listen: as ROS topics, and on the page with a time bar.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "tandem/ros2/full_node.hpp"
#include "tandem/runtime/config/web.hpp"
#include "tandem/runtime/page/incident_reports.hpp"
#include "tandem/runtime/replay/playback.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

// The first and last log time of a file, as far as it is known.
Result<PlaybackClock::Range> playback_range(const record::McapReader& reader);

// Whether there is anything on a channel, as far as the file says; some only tell that a topic is acted on.
bool has_messages(const record::McapReader& reader, std::uint16_t channel);

struct ReplayTopicsOptions {
  bool clock = false;            // /clock reports the recording's time, and no recorded one
  bool all = false;              // also what others published or a machine acts on; it may move them
  std::set<std::string> also{};  // of that only these
};

// Publishes the topics that a tandem published, as the bytes they were, with the QoS they had. What others published,
// and what a machine of it acts on, from any publisher, is left out unless it is asked for: a replay moves nothing.
// `tandem record` and other recorders do not say who published a topic; it counts as of others. /rosout, parameter
// events and Tandem's own channels are never published.
class ReplayTopics {
 public:
  // Advertises under the node `tandem_replay`.
  ReplayTopics(const record::McapReader& reader, PlaybackClock& clock, ros2::Context& context,
               const ReplayTopicsOptions& options);

  void run(const std::stop_token& stop);  // precisely in time, in a thread of its own

  std::size_t topics() const { return publishers_.size(); }
  const std::set<std::string>& left_out() const { return left_out_; }  // as machines may act on them
  // The recording is at its end and nothing of it is left. Any thread.
  bool all_published() const { return all_published_.load(std::memory_order_acquire); }
  std::uint64_t published() const { return published_.load(std::memory_order_relaxed); }
  std::uint64_t unreadable() const { return feed_.unreadable(); }  // parts passed over; when run() has ended

 private:
  PlaybackClock& clock_;
  ros2::FullNode node_;
  std::set<std::string> left_out_;
  std::map<std::uint16_t, ros2::RawPublisher> publishers_;
  std::unique_ptr<ros2::Publisher<ros2::rosgraph_msgs::Clock>> clock_publisher_;
  PlaybackFeed feed_;
  std::atomic<std::uint64_t> published_{0};
  std::atomic<bool> all_published_{false};
};

// The page and Foxglove clients see every channel of the file, and hold the time bar.
class ReplayPage {
 public:
  // Throws as web::Server does. The incident that a file of the black box is of is marked on the time bar; `reports`
  // explains it, and may be null.
  ReplayPage(const record::McapReader& reader, PlaybackClock& clock, const WebConfig& config,
             const std::string& version, const std::string& file = "", IncidentReports* reports = nullptr);
  std::string printed_address() const { return server_->printed_address(); }
  void run(const std::stop_token& stop) { server_->run(stop); }
  std::uint64_t unreadable() const { return feed_->unreadable(); }  // chunks passed over; when run() has ended

 private:
  void tick();
  void control(const web::PlaybackRequest& request);
  void tell(bool did_seek, const std::string& request);
  void tell_unreadable();

  PlaybackClock& clock_;
  std::map<std::uint16_t, web::ChannelId> channels_;  // by the file's id
  std::unique_ptr<web::Hub> hub_;
  std::unique_ptr<web::Server> server_;
  std::unique_ptr<PlaybackFeed> feed_;
  std::optional<web::PlaybackState::Status> reported_;
  Instant reported_at_{};
  std::uint64_t reported_unreadable_ = 0, jumps_ = 0;
};

}  // namespace tandem::runtime
