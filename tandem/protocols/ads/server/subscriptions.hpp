// SPDX-License-Identifier: Apache-2.0
// The notifications of one connection: what each watches, when it is due, and the frames that carry its samples.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tandem/protocols/ads/codec/notifications.hpp"
#include "tandem/protocols/ads/server/device.hpp"

namespace tandem::ads {

// Counted in PLC cycles, as the PLC does: a request for 25 ms on a 10 ms task is every third cycle.
struct Schedule {
  TransMode mode = TransMode::server_cycle;
  std::uint64_t period = 1;     // cycles between looks, at least 1
  std::uint64_t max_delay = 0;  // cycles that a sample may wait for company
};

class ServerSubscriptions {
 public:
  static constexpr std::size_t most = 32768;               // of one connection
  static constexpr std::size_t most_bytes = 16u << 20;     // that they watch in sum
  static constexpr std::size_t longest_frame = 60u << 10;  // bytes, unless one sample is longer
  using Send = std::function<void(std::vector<std::uint8_t>& frame)>;

  // The moment of a look: which cycle, and its stamp.
  struct Moment {
    std::uint64_t cycle = 0;
    FileTime stamp = 0;
  };

  bool fits(const Source& source) const { return where_.size() < most && watched_ + source.length <= most_bytes; }
  void add(std::uint32_t handle, const AmsAddress& client, const AmsAddress& server, const Source& source,
           const Schedule& schedule);
  bool remove(std::uint32_t handle);
  // All on one AMS port of ours, for when it goes away.
  void remove_all_on(std::uint16_t ams_port);
  std::size_t size() const { return where_.size(); }

  // The first samples of what was added since the last call.
  void first_samples(const Device& device, const Moment& moment, const Send& send);
  // What is due in this cycle: one frame per client, one stamp for all its samples.
  void cycle(const Device& device, const Moment& moment, const Send& send);

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct Subscription {
    std::uint32_t handle = 0;
    Source source;
    Schedule schedule;
    std::uint64_t due = 0;           // the cycle of the next look
    std::vector<std::uint8_t> last;  // what was sent, where only changes are
    bool sent = false;
  };

  // One client's port that watches one of ours: its samples travel together.
  struct Subscriber {
    AmsHeader header;
    std::vector<Subscription> list;
    std::uint64_t due = never;               // the earliest of the list
    std::uint64_t flush = never;             // the cycle in which the pending frame has to go
    std::uint64_t stamped = never;           // the cycle of its last stamp
    std::vector<std::uint8_t> pending;       // a frame begun
    std::optional<NotificationWriter> open;  // its payload
  };
  using Key = std::pair<AmsAddress, AmsAddress>;
  struct Where {
    Subscriber* subscriber = nullptr;
    std::size_t index = 0;
  };

  void look(const Device& device, Subscriber& subscriber, Subscription& subscription, const Moment& moment,
            const Send& send);
  void flush(Subscriber& subscriber, const Send& send);

  std::map<Key, Subscriber> subscribers_;
  std::unordered_map<std::uint32_t, Where> where_;  // by handle
  std::vector<std::uint32_t> fresh_;                // handles without a sample yet
  std::vector<std::uint8_t> scratch_;
  std::size_t watched_ = 0;  // bytes
};

}  // namespace tandem::ads
