// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/inbox.hpp"

#include <algorithm>

namespace tandem::ads {
namespace {

constexpr std::size_t small = 512;  // bytes of a sample

}  // namespace

Inbox::Inbox(std::size_t capacity) : places_(std::max<std::size_t>(capacity, 1)) {}

void Inbox::make_room(std::size_t size) {
  for (Place& place : places_) place.data.reserve(std::min(size, small));
}

void Inbox::put(const Sample& sample, Instant received) {
  if (count_ == places_.size()) {
    if (!at(0).taken) ++dropped_;
    first_ = (first_ + 1) % places_.size();
    --count_;
  }
  Place& place = at(count_++);
  place.handle = sample.handle;
  place.stamp = sample.stamp;
  place.received = received;
  place.data.assign(sample.data.begin(), sample.data.end());
  place.taken = false;
}

std::optional<Notification> Inbox::take() {
  drop_taken();
  if (count_ == 0) return std::nullopt;
  Place& place = at(0);
  place.taken = true;
  const Notification oldest{place.handle, place.stamp, place.received, place.data};
  drop_taken();
  return oldest;
}

std::optional<Notification> Inbox::take_newest(std::uint32_t handle) {
  std::optional<Notification> newest;
  for (std::size_t i = 0; i < count_; ++i) {
    Place& place = at(i);
    if (place.taken || place.handle != handle) continue;
    newest = Notification{place.handle, place.stamp, place.received, place.data};
    place.taken = true;
  }
  drop_taken();
  return newest;
}

void Inbox::remove(std::uint32_t handle) { take_newest(handle); }

void Inbox::clear() { count_ = 0; }

void Inbox::drop_taken() {
  while (count_ > 0 && at(0).taken) {
    first_ = (first_ + 1) % places_.size();
    --count_;
  }
}

}  // namespace tandem::ads
