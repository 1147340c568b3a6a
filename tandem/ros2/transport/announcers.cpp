// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/announcers.hpp"

#include <algorithm>
#include <tuple>

namespace tandem::ros2 {

namespace {

Duration lease_of(const Announcement& announcement) {
  return std::chrono::seconds(std::clamp(announcement.lease, 1, longest_lease));
}

// A second more than Fast DDS waits.
Instant end_of(const Announcement& announcement, Instant now) { return now + lease_of(announcement) + 1s; }

}  // namespace

Announcers::Place* Announcers::Entry::find(const Ipv4& address) {
  const auto found = std::ranges::find(heard, address, &Place::address);
  return found == heard.end() ? nullptr : &*found;
}

Admission Announcers::admit_again(Entry& entry, const Announcement& announcement, Instant now) {
  const auto& [who, from, lease, sequence, hides_addresses] = announcement;
  const bool is_newer = sequence > entry.sequence;
  Place* place = entry.find(from);
  if (place == nullptr && moves_ == Moves::refused) {
    if (entry.ends >= now) return {.fault = is_newer ? "it announces a participant of another address" : nullptr};
    entry.heard.clear();
  }
  if (place == nullptr) {
    if (entry.heard.size() == most_addresses) entry.heard.erase(entry.heard.begin());
    place = &entry.heard.emplace_back(Place{from, now, false});
  }
  place->last = now;
  entry.last = now;
  entry.ends = end_of(announcement, now);
  entry.sequence = std::max(entry.sequence, sequence);
  Admission result{.admitted = true};
  if (!is_newer) {
    const auto answers = [&](const Place& each) {
      return each.read && now - each.last < silent_leases * lease_of(announcement);
    };
    const bool takes_over = entry.hides_addresses && !place->read && moves_ == Moves::believed &&
                            std::ranges::none_of(entry.heard, answers);
    if (!takes_over) return result;
    result.dismissed = who;
    result.sequence = entry.sequence;
  }
  for (Place& each : entry.heard) each.read = true;
  entry.hides_addresses = hides_addresses;
  return result;
}

Admission Announcers::admit(const Announcement& announcement, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto& [who, from, lease, sequence, hides_addresses] = announcement;
  if (const auto found = entries_.find(who); found != entries_.end()) {
    return admit_again(found->second, announcement, now);
  }
  Admission result{.admitted = true};
  Crowd& crowd = crowds_[from];
  const bool crowded = crowd.size >= most_of_one;
  if (crowded || entries_.size() >= most) {
    Instant& next_room = crowded ? crowd.next_room : next_room_;
    if (now < next_room) {
      if (crowd.size == 0) crowds_.erase(from);
      return {.fault = "too many participants"};
    }
    next_room = now + room_period;
    const auto leaves = least(crowded ? std::optional(from) : std::nullopt, now);
    result.dismissed = leaves->first;
    result.sequence = leaves->second.sequence;
    ++crowd.size;  // so that it stays while the other leaves
    erase(leaves);
  } else {
    ++crowd.size;
  }
  entries_.emplace(who,
                   Entry{from, {{from, now, true}}, now, now, end_of(announcement, now), sequence, hides_addresses});
  return result;
}

Announcers::Entries::iterator Announcers::least(const std::optional<Ipv4>& from, Instant now) {
  // Whose lease has ended goes first; then who is not established, of the largest crowd, not heard for longest. Of the
  // established the newest goes: announcing often does not push out who was there before.
  const auto rank = [&](const Entry& entry) {
    return std::tuple(entry.ends >= now, entry.established(), -static_cast<std::ptrdiff_t>(crowds_[entry.counted].size),
                      entry.established() ? -entry.first.time_since_epoch() : entry.last.time_since_epoch());
  };
  auto chosen = entries_.end();
  for (auto each = entries_.begin(); each != entries_.end(); ++each) {
    if (from && each->second.counted != *from) continue;
    if (chosen == entries_.end() || rank(each->second) < rank(chosen->second)) chosen = each;
  }
  return chosen;
}

void Announcers::erase(Entries::iterator entry) {
  const auto crowd = crowds_.find(entry->second.counted);
  if (--crowd->second.size == 0) crowds_.erase(crowd);
  entries_.erase(entry);
}

std::optional<std::int64_t> Announcers::forget(const ParticipantPrefix& who) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(who);
  if (found == entries_.end()) return {};
  const std::int64_t sequence = found->second.sequence;
  erase(found);
  return sequence;
}

bool Announcers::has_heard(const ParticipantPrefix& who, const Ipv4& from) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(who);
  return found != entries_.end() && found->second.find(from) != nullptr;
}

std::vector<ParticipantPrefix> Announcers::of(const Ipv4& address) {
  const std::lock_guard lock(mutex_);
  std::vector<ParticipantPrefix> participants;
  for (const auto& [who, entry] : entries_) {
    if (entry.counted == address) participants.push_back(who);
  }
  return participants;
}

std::size_t Announcers::size() {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace tandem::ros2
