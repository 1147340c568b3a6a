// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/matches.hpp"

#include <algorithm>

namespace tandem::ros2 {

void Matches::take(const Gid& gid, bool matched) {
  const std::lock_guard lock(mutex_);
  std::erase_if(matches_, [&](const Match& match) { return match.gid == gid; });
  if (matched) matches_.push_back({gid, std::chrono::steady_clock::now()});
  count_ = matches_.size();
}

std::optional<Instant> Matches::since(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(matches_, gid, &Match::gid);
  return found == matches_.end() ? std::nullopt : std::optional(found->since);
}

void Matches::clear() {
  const std::lock_guard lock(mutex_);
  matches_.clear();
  count_ = 0;
}

std::vector<Gid> Matches::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Gid> gids;
  for (const Match& match : matches_) gids.push_back(match.gid);
  return gids;
}

}  // namespace tandem::ros2
