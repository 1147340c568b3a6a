// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/relayed.hpp"

namespace tandem::ros2 {

bool Relayed::admit(const ParticipantPrefix& who, const std::vector<Ipv4>& addresses) {
  const std::lock_guard lock(mutex_);
  auto found = participants_.find(who);
  if (found == participants_.end()) {
    if (participants_.size() >= most) return false;
    found = participants_.emplace(who, std::vector<Ipv4>()).first;
  }
  for (const Ipv4& each : addresses) ++counts_[each];
  release(found->second);
  found->second = addresses;
  return true;
}

void Relayed::forget(const ParticipantPrefix& who) {
  const std::lock_guard lock(mutex_);
  const auto found = participants_.find(who);
  if (found == participants_.end()) return;
  release(found->second);
  participants_.erase(found);
}

void Relayed::clear() {
  const std::lock_guard lock(mutex_);
  participants_.clear();
  counts_.clear();
}

void Relayed::release(const std::vector<Ipv4>& addresses) {
  for (const Ipv4& each : addresses) {
    const auto count = counts_.find(each);
    if (--count->second == 0) counts_.erase(count);
  }
}

bool Relayed::has_address(const ParticipantPrefix& who, const Ipv4& address) const {
  const std::lock_guard lock(mutex_);
  const auto found = participants_.find(who);
  return found != participants_.end() && std::ranges::find(found->second, address) != found->second.end();
}

bool Relayed::has_address(const Ipv4& address) const {
  const std::lock_guard lock(mutex_);
  return counts_.contains(address);
}

std::size_t Relayed::size() const {
  const std::lock_guard lock(mutex_);
  return participants_.size();
}

}  // namespace tandem::ros2
