// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/recording/recorded_topics.hpp"

#include <fmt/format.h>

#include "tandem/ros2/types/message_text.hpp"
#include "tandem/runtime/recording/recorded_qos.hpp"

namespace tandem::runtime {

namespace {

constexpr std::uint32_t unrecorded = 0xFFFFFFFF;  // no publisher has so high a number

record::ChannelId channel_of(std::uint32_t handle) { return static_cast<record::ChannelId>(handle & 0xFFFF); }
std::uint16_t source_of(std::uint32_t handle) { return static_cast<std::uint16_t>(handle >> 16); }

ros2::Qos qos_of(const ros2::TappedTopic& topic) {
  ros2::Qos qos;
  if (!topic.reliable) qos.reliability = ros2::Reliability::best_effort;
  if (topic.latched) qos.durability = ros2::Durability::transient_local;
  return qos;
}

}  // namespace

std::uint32_t RecordedTopics::opened(const ros2::TappedTopic& topic) {
  const auto text = ros2::ros2msg_text(topic.type);
  if (!text) return unrecorded;
  record::ChannelInfo channel;
  channel.topic = topic.topic;
  channel.encoding = "cdr";
  channel.schema_name = topic.type;
  channel.schema_encoding = "ros2msg";
  channel.schema = *text;
  channel.metadata[qos_key] = text_from_qos(qos_of(topic));
  if (!topic.type_hash.empty()) channel.metadata["topic_type_hash"] = topic.type_hash;
  channel.lasts = topic.latched;
  const bool heard = topic.direction == net::Direction::in;
  channel.metadata["direction"] = heard || is_of_viewer(topic.topic) ? "in" : "out";
  // Of a topic that we publish and hear all samples are on the publisher's channel. That a machine acts on them is
  // reported by the subscription's, with no message in it.
  channel.silent = heard && topic.acts;
  const record::ChannelId id = sink_.channel(channel);
  if (!topic.latched) return id;
  // The lowest number that is free: the sample of one that has gone lasts until another takes its place.
  const std::lock_guard lock(mutex_);
  auto& open = sources_[id];
  std::uint16_t source = 0;
  while (source < 0xFFFE && open.contains(source)) ++source;
  open.insert(source);
  return id | std::uint32_t{source} << 16;
}

void RecordedTopics::closed(std::uint32_t handle) {
  if (handle == unrecorded) return;
  const std::lock_guard lock(mutex_);
  if (const auto found = sources_.find(channel_of(handle)); found != sources_.end()) {
    found->second.erase(source_of(handle));
  }
}

bool RecordedTopics::is_of_viewer(const std::string& topic) const {
  const std::lock_guard lock(mutex_);
  return of_viewer_ == topic;
}

void RecordedTopics::viewer_publishes(std::string_view topic) {
  const std::lock_guard lock(mutex_);
  of_viewer_ = topic.empty() || topic.starts_with('/') ? std::string(topic) : fmt::format("/{}", topic);
}

void RecordedTopics::passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept {
  if (handle == unrecorded) return;
  sink_.put(channel_of(handle), clock_.utc(now()), stamp, cdr, {}, source_of(handle));
}

}  // namespace tandem::runtime
