// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tandem/ros2/messages/rosgraph_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tandem/runtime/recording/recorded_qos.hpp"
#include "tandem/runtime/replay/show.hpp"

namespace tandem::runtime {
namespace {

constexpr Duration longest_rest = 20ms;  // between two looks at the clock, which others may move
constexpr Duration clock_period = 10ms;
constexpr Duration longest_wait = 2s;  // until those who listen have the last of it

std::string replay_metadata(const record::mcap::Channel& channel, const std::string& key) {
  const auto found = channel.metadata.find(key);
  return found == channel.metadata.end() ? std::string() : found->second;
}

bool may_be_published(const record::mcap::Channel& channel, const ReplayTopicsOptions& options) {
  if (channel.encoding != "cdr" || channel.topic.starts_with("/tandem/")) return false;
  if (channel.topic == "/rosout" || channel.topic == "/parameter_events") return false;
  return channel.topic != "/clock" || !options.clock;
}

// Those that a tandem only says: no other client said anything on them, and nothing of its own acts on them.
std::set<std::string> harmless_topics(const record::McapReader& reader) {
  std::set<std::string> said, others;
  for (const auto& [id, channel] : reader.contents().channels)
    (replay_metadata(channel, "direction") == "out" ? said : others).insert(channel.topic);
  for (const std::string& topic : others) said.erase(topic);
  return said;
}

std::map<std::uint16_t, ros2::RawPublisher> advertised(const record::McapReader& reader, ros2::FullNode& node,
                                                       const ReplayTopicsOptions& options,
                                                       std::set<std::string>& left_out) {
  std::map<std::uint16_t, ros2::RawPublisher> publishers;
  const std::set<std::string> harmless = harmless_topics(reader);
  for (const auto& [id, channel] : reader.contents().channels) {
    const auto* schema = reader.schema(channel);
    if (schema == nullptr || !has_messages(reader, id) || !may_be_published(channel, options)) continue;
    if (!harmless.contains(channel.topic) && !options.all && !options.also.contains(channel.topic)) {
      left_out.insert(channel.topic);
      continue;
    }
    publishers.emplace(id, node.advertise_raw(channel.topic, schema->name, replay_metadata(channel, "topic_type_hash"),
                                              recorded_qos(channel)));
  }
  return publishers;
}

template <typename Map>
std::set<std::uint16_t> keys_of(const Map& map) {
  std::set<std::uint16_t> keys;
  for (const auto& [key, value] : map) keys.insert(key);
  return keys;
}

}  // namespace

bool has_messages(const record::McapReader& reader, std::uint16_t channel) {
  const auto& counts = reader.contents().statistics.channel_messages;
  const auto found = counts.find(channel);
  return found == counts.end() ? counts.empty() : found->second > 0;
}

Result<PlaybackClock::Range> playback_range(const record::McapReader& reader) {
  const auto& statistics = reader.contents().statistics;
  if (statistics.messages == 0)
    return Error{Fault::not_found, "the recording contains no messages; `tandem repair` may recover some"};
  return PlaybackClock::Range{statistics.start, std::max(statistics.start, statistics.end)};
}

ReplayTopics::ReplayTopics(const record::McapReader& reader, PlaybackClock& clock, ros2::Context& context,
                           const ReplayTopicsOptions& options)
    : clock_(clock),
      node_(context, "tandem_replay", "/", system_clock()),
      publishers_(advertised(reader, node_, options, left_out_)),
      feed_(reader, keys_of(publishers_), {}, [this](const record::mcap::Message& message) {
        const auto found = publishers_.find(message.channel);
        if (found != publishers_.end() && found->second.publish(message.data))
          published_.fetch_add(1, std::memory_order_relaxed);
      }) {
  if (options.clock)
    clock_publisher_ = std::make_unique<ros2::Publisher<ros2::rosgraph_msgs::Clock>>(
        node_.advertise<ros2::rosgraph_msgs::Clock>("/clock"));
}

void ReplayTopics::run(const std::stop_token& stop) {
  Instant clock_due{};
  while (!stop.stop_requested()) {
    const Instant now = tandem::now();
    const PlaybackClock::Stand stand = clock_.stand(now);
    feed_.poll(stand, stop);
    if (clock_publisher_ && now >= clock_due) {
      clock_due = now + clock_period;
      clock_publisher_->publish({ros2::message_from(UtcTime(Duration(static_cast<std::int64_t>(stand.time))))});
    }
    const auto next = feed_.next();
    if (stand.ended && (!next || *next > stand.time) && !all_published()) {
      const Instant end = tandem::now() + longest_wait;
      for (const auto& [id, publisher] : publishers_)
        publisher.wait_for_acknowledgements(std::max(Duration{}, end - tandem::now()));
      all_published_.store(true, std::memory_order_release);
    }
    Duration rest = clock_publisher_ ? clock_period : longest_rest;
    if (next && stand.playing && *next > stand.time)
      rest = std::min(rest, duration_of(static_cast<double>(*next - stand.time) * 1e-9 / stand.speed));
    system_clock().sleep_until(now + rest);
  }
}

}  // namespace tandem::runtime
