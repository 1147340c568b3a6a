// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/topic_feed.hpp"

#include <cstring>

namespace tandem::runtime {

std::uint32_t TopicFeed::opened(const ros2::TappedTopic& topic) {
  if (topic.direction == net::Direction::in) return most_topics;
  const std::lock_guard lock(mutex_);
  std::uint32_t slot = used_;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else if (used_ == most_topics) {
    return most_topics;
  } else {
    ++used_;
  }
  const Source source = ++last_;
  const bool always = topic.latched || kept_.contains(topic.topic);
  const bool wanted = always || wanted_.contains(topic.topic);
  sources_[source] = {std::make_shared<const std::string>(topic.topic), slot, always};
  slots_[slot].store(std::uint64_t{source} * 2 + (wanted ? 1 : 0), std::memory_order_relaxed);
  news_ = true;
  return slot;
}

void TopicFeed::closed(std::uint32_t handle) {
  if (handle >= most_topics) return;
  const std::lock_guard lock(mutex_);
  ended_.push_back(static_cast<Source>(slots_[handle].exchange(0) / 2));
  free_.push_back(handle);
  news_ = true;
}

void TopicFeed::passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept {
  if (handle >= most_topics) return;
  const std::uint64_t state = slots_[handle].load(std::memory_order_relaxed);
  if (state % 2 == 1) put(static_cast<Source>(state / 2), cdr, stamp);
}

void TopicFeed::put(Source source, Bytes cdr, UtcTime stamp) noexcept {
  const Head head{source, 0, stamp.time_since_epoch().count()};
  std::array<std::uint8_t, sizeof(Head)> bytes{};
  std::memcpy(bytes.data(), &head, sizeof head);
  ring_.put({bytes, cdr});
}

void TopicFeed::want(const std::string& topic, bool wanted) {
  const std::lock_guard lock(mutex_);
  if (wanted) {
    wanted_.insert(topic);
  } else {
    wanted_.erase(topic);
  }
  for (const auto& [source, opened] : sources_) {
    if (opened.slot == most_topics || *opened.topic != topic) continue;
    // It may have ended meanwhile, and its slot be another's.
    std::uint64_t expected = std::uint64_t{source} * 2 + (wanted || opened.always ? 0 : 1);
    slots_[opened.slot].compare_exchange_strong(expected, expected ^ 1, std::memory_order_relaxed);
  }
}

void TopicFeed::keep(const std::string& topic) {
  const std::lock_guard lock(mutex_);
  kept_.insert(topic);
  for (auto& [source, opened] : sources_) {
    if (opened.slot == most_topics || *opened.topic != topic) continue;
    opened.always = true;
    std::uint64_t expected = std::uint64_t{source} * 2;
    slots_[opened.slot].compare_exchange_strong(expected, expected + 1, std::memory_order_relaxed);
  }
}

TopicFeed::Source TopicFeed::add(const std::string& topic) {
  const std::lock_guard lock(mutex_);
  sources_[++last_].topic = std::make_shared<const std::string>(topic);
  return last_;
}

void TopicFeed::remove(Source source) {
  const std::lock_guard lock(mutex_);
  sources_.erase(source);
}

std::shared_ptr<const std::string> TopicFeed::topic_of(Source source) const {
  const std::lock_guard lock(mutex_);
  const auto found = sources_.find(source);
  return found == sources_.end() ? nullptr : found->second.topic;
}

void TopicFeed::take(const Each& each) {
  std::vector<Source> ended;
  {
    const std::lock_guard lock(mutex_);
    ended.swap(ended_);
  }
  std::size_t bytes = 0;
  const auto pass = [&](Bytes record) {
    Head head;
    bytes += record.size();
    if (record.size() < sizeof head) return;
    std::memcpy(&head, record.data(), sizeof head);
    if (const auto topic = topic_of(head.source)) {
      each(*topic, record.subspan(sizeof head), UtcTime(Duration(head.stamp)));
    }
  };
  for (std::size_t taken = 0; taken < most_taken && bytes < ring_.capacity(); ++taken) {
    if (ring_.take(pass, 1) == 0) break;
  }
  if (ended.empty()) return;
  // More may be there than is seen, behind a record that a client is still writing.
  const bool all = ring_.used() == 0;
  const std::lock_guard lock(mutex_);
  if (!all) {
    ended_.insert(ended_.end(), ended.begin(), ended.end());
    return;
  }
  for (const Source source : ended) sources_.erase(source);
}

}  // namespace tandem::runtime
