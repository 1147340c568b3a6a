// SPDX-License-Identifier: Apache-2.0
// What we subscribed to, and the samples of it that arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tandem/protocols/ads/client/inbox.hpp"

namespace tandem::ads {

class Subscriptions {
 public:
  explicit Subscriptions(std::size_t capacity) : inbox_(capacity) {}

  // A device may send the first sample before it reports the handle: between these two calls unknown handles are kept.
  void begin_add() { ++adding_; }
  void end_add() { --adding_; }
  void add(std::uint32_t handle, std::uint32_t length);
  void remove(std::uint32_t handle);

  // The payload of a notification packet, from the device.
  void arrived(Bytes payload, Instant received);

  // The oldest sample, or the newest of one handle with the older ones of it discarded.
  std::optional<Notification> take();
  std::optional<Notification> take_newest(std::uint32_t handle);

  bool empty() const { return inbox_.empty(); }           // no sample waits
  std::uint64_t malformed() const { return malformed_; }  // packets whose counts or sizes lie, dropped as a whole
  std::uint64_t ignored() const { return ignored_; }      // samples of no subscription, or not of its length
  std::uint64_t dropped() const { return inbox_.dropped(); }

 private:
  struct Subscription {
    std::uint32_t handle = 0;
    std::uint32_t length = 0;
  };
  enum class Match { yes, no, unknown_handle };
  Match match(std::uint32_t handle, Bytes data) const;

  std::vector<Subscription> subscriptions_;  // sorted by handle
  Inbox inbox_;
  unsigned adding_ = 0;
  std::uint64_t malformed_ = 0;
  std::uint64_t ignored_ = 0;
};

}  // namespace tandem::ads
