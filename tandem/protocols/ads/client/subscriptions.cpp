// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/subscriptions.hpp"

#include <algorithm>

namespace tandem::ads {

void Subscriptions::add(std::uint32_t handle, std::uint32_t length) {
  inbox_.make_room(length);
  const auto at = std::ranges::lower_bound(subscriptions_, handle, {}, &Subscription::handle);
  if (at != subscriptions_.end() && at->handle == handle)
    at->length = length;
  else
    subscriptions_.insert(at, {handle, length});
}

void Subscriptions::remove(std::uint32_t handle) {
  std::erase_if(subscriptions_, [handle](const Subscription& entry) { return entry.handle == handle; });
  inbox_.remove(handle);
}

void Subscriptions::arrived(Bytes payload, Instant received) {
  if (!well_formed_notification(payload)) {
    ++malformed_;
    return;
  }
  SampleReader reader(payload);
  while (const auto sample = reader.next()) {
    const Match found = match(sample->handle, sample->data);
    if (found == Match::yes || (found == Match::unknown_handle && adding_ > 0))
      inbox_.put(*sample, received);
    else
      ++ignored_;
  }
}

std::optional<Notification> Subscriptions::take() {
  while (auto oldest = inbox_.take()) {
    if (match(oldest->handle, oldest->data) == Match::yes) return oldest;
    ++ignored_;
  }
  return std::nullopt;
}

std::optional<Notification> Subscriptions::take_newest(std::uint32_t handle) {
  auto newest = inbox_.take_newest(handle);
  if (!newest || match(newest->handle, newest->data) == Match::yes) return newest;
  ++ignored_;
  return std::nullopt;
}

Subscriptions::Match Subscriptions::match(std::uint32_t handle, Bytes data) const {
  const auto at = std::ranges::lower_bound(subscriptions_, handle, {}, &Subscription::handle);
  if (at == subscriptions_.end() || at->handle != handle) return Match::unknown_handle;
  return at->length == data.size() ? Match::yes : Match::no;
}

}  // namespace tandem::ads
