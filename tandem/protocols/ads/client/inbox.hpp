// SPDX-License-Identifier: Apache-2.0
// Notifications between their arrival and the moment a client asks for them: a bounded ring in which the newest wins.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/protocols/ads/codec/notifications.hpp"

namespace tandem::ads {

// One sample of a subscribed variable.
struct Notification {
  std::uint32_t handle = 0;
  FileTime stamp = 0;  // when the device took it, by the device's clock
  Instant received;    // when its bytes were read here
  Bytes data;          // of the subscribed length; a view that lives until the next call on its owner
};

// Reuses its memory: storing a sample allocates only until every place has held one of that size.
class Inbox {
 public:
  explicit Inbox(std::size_t capacity);

  // Samples of this size will come: small ones never allocate from here on, large ones once for each place.
  void make_room(std::size_t size);
  // Keeps a copy. The oldest sample goes when there is no room.
  void put(const Sample& sample, Instant received);
  // The oldest one, and it is gone from here; its data stays valid until the next put.
  std::optional<Notification> take();
  // The newest one of that handle; all older ones of the handle go with it.
  std::optional<Notification> take_newest(std::uint32_t handle);
  void remove(std::uint32_t handle);
  void clear();

  bool empty() const { return count_ == 0; }
  std::uint64_t dropped() const { return dropped_; }  // for want of room

 private:
  struct Place {
    std::uint32_t handle = 0;
    FileTime stamp = 0;
    Instant received;
    std::vector<std::uint8_t> data;
    bool taken = true;
  };
  Place& at(std::size_t index) { return places_[(first_ + index) % places_.size()]; }
  void drop_taken();

  std::vector<Place> places_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace tandem::ads
