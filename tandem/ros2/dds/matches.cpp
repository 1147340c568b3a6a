// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/matches.hpp"

#include <algorithm>

namespace tandem::ros2 {

void Matches::take(const void* endpoint, const Gid& gid, bool matched) {
  const std::lock_guard lock(mutex_);
  std::erase_if(matches_, [&](const Match& match) { return match.endpoint == endpoint && match.gid == gid; });
  if (matched) matches_.push_back({endpoint, gid, std::chrono::steady_clock::now()});
  count_ = matches_.size();
}

std::optional<Instant> Matches::since(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(matches_, gid, &Match::gid);
  return found == matches_.end() ? std::nullopt : std::optional(found->since);
}

std::size_t Matches::count_of(const void* endpoint) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::ranges::count(matches_, endpoint, &Match::endpoint));
}

void Matches::forget(const void* endpoint) {
  const std::lock_guard lock(mutex_);
  std::erase_if(matches_, [&](const Match& match) { return match.endpoint == endpoint; });
  count_ = matches_.size();
}

std::vector<Gid> Matches::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Gid> gids;
  for (const Match& match : matches_) gids.push_back(match.gid);
  return gids;
}

}  // namespace tandem::ros2
