// SPDX-License-Identifier: Apache-2.0
// The channels of a sink, and its messages on their way through its ring.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tandem/base/byte_ring.hpp"
#include "tandem/record/mcap.hpp"
#include "tandem/record/sink.hpp"

namespace tandem::record {

// Numbered from 1 in the order in which they were asked for. Any thread.
class Channels {
 public:
  // The same info gives the same id; 0: all are taken. One that differs in `silent` alone is silent from then on.
  ChannelId add(ChannelInfo info);
  std::optional<ChannelInfo> find(std::uint64_t id) const;
  std::vector<ChannelInfo> from(std::size_t first) const;  // 0: all
  std::vector<ChannelId> silent() const;
  std::string topic(std::uint64_t id) const;  // "?" where there is none

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, mcap::Map>;

  mutable std::mutex mutex_;
  std::vector<ChannelInfo> channels_;
  std::map<Key, ChannelId> ids_;
};

// What is before every message in the ring.
struct RingHead {
  std::uint64_t log = 0, published = 0;  // ns
  std::uint32_t sequence = 0;            // in the channel
  std::uint16_t channel = 0, source = 0;
  Part part = Part::none;
};

// Of a record of the ring; no smaller one is ever put.
inline RingHead head_of(Bytes record) {
  RingHead head;
  std::memcpy(&head, record.data(), sizeof head);
  return head;
}
inline Bytes data_of(Bytes record) { return record.subspan(sizeof(RingHead)); }

// Any thread; neither waits nor allocates.
class Inlet {
 public:
  explicit Inlet(std::size_t bytes) : ring_(bytes), sequences_(most_channels) {}

  // Numbers the message in its channel; without room it is lost and counted.
  void put(RingHead head, Bytes first, Bytes second) noexcept;
  // Only one thread, as ByteRing.
  template <typename Each>
  std::size_t take(Each&& each, std::size_t most) {
    return ring_.take(std::forward<Each>(each), most);
  }

  std::uint64_t dropped() const { return ring_.dropped(); }
  std::uint64_t oversize() const { return ring_.oversize(); }
  // The first message that never fits: its channel and its bytes, 0: there was none.
  std::pair<ChannelId, std::uint64_t> first_oversize() const;
  std::size_t largest() const { return ring_.largest() - sizeof(RingHead); }  // message, bytes

 private:
  static constexpr std::size_t most_channels = 65536;

  ByteRing ring_;
  std::vector<std::atomic<std::uint32_t>> sequences_;  // the next of each channel
  std::atomic<std::uint64_t> oversize_{0};             // the first one, in one word that any thread may set
};

std::uint64_t recorded_time(UtcTime time);  // ns; 0 before 1970

}  // namespace tandem::record
