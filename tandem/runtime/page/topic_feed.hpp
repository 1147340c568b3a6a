// SPDX-License-Identifier: Apache-2.0
// The way of ROS samples from the threads of machines and DDS to the one thread of the page: only topics that a client
// wants are copied, into a ring; what finds no place there is lost and counted.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tandem/base/byte_ring.hpp"
#include "tandem/ros2/sample_tap.hpp"

namespace tandem::runtime {

class TopicFeed final : public ros2::SampleTap {
 public:
  using Source = std::uint32_t;  // one publisher from its beginning to its end; never given twice

  explicit TopicFeed(std::size_t ring_bytes) : ring_(ring_bytes) {}

  // The tap of a context, for what is published there. What is received from others is left to subscriptions.
  std::uint32_t opened(const ros2::TappedTopic& topic) override;
  void closed(std::uint32_t handle) override;
  void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept override;

  // Any thread. Latched topics are always wanted, as are those that `keep` names.
  void want(const std::string& topic, bool wanted);
  void keep(const std::string& topic);

  // A subscription as a source; put() from its callback. What was not taken when it is removed is lost.
  Source add(const std::string& topic);
  void remove(Source source);
  void put(Source source, Bytes cdr, UtcTime stamp) noexcept;

  // One thread: what has come, oldest first. What comes faster than it is taken waits for the next call.
  using Each = std::function<void(const std::string& topic, Bytes cdr, UtcTime stamp)>;
  void take(const Each& each);
  // Whether publishers have come or gone since the last call.
  bool take_news() { return news_.exchange(false); }

  std::uint64_t dropped() const { return ring_.dropped(); }

  static constexpr std::size_t most_topics = 4096;  // open at a time; of more nothing is seen
  static constexpr std::size_t most_taken = 4096;   // in one call, and at most as many bytes as the ring has

 private:
  struct Opened {
    std::shared_ptr<const std::string> topic;
    std::uint32_t slot = most_topics;  // none: a subscription
    bool always = false;
  };
  struct Head {
    std::uint32_t source = 0;
    std::uint32_t unused = 0;
    std::int64_t stamp = 0;  // ns, UTC
  };

  std::shared_ptr<const std::string> topic_of(Source source) const;

  ByteRing ring_;
  std::atomic<bool> news_ = false;
  // Of each handle: its source, times two, plus one while it is wanted.
  std::array<std::atomic<std::uint64_t>, most_topics> slots_{};

  mutable std::mutex mutex_;  // of all below
  Source last_ = 0;
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> free_;  // slots
  std::map<Source, Opened> sources_;
  std::vector<Source> ended_;  // of the tap, whose samples may still be in the ring
  std::set<std::string> wanted_, kept_;
};

}  // namespace tandem::runtime
