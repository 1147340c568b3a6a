#include "tandem/ros2/matches.hpp"

#include <algorithm>

namespace tandem::ros2 {

void Matches::take(const Gid& gid, bool matched) {
  const std::lock_guard lock(mutex_);
  std::erase(gids_, gid);
  if (matched) gids_.push_back(gid);
  count_ = gids_.size();
}

bool Matches::contains(const Gid& gid) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(gids_, gid) != gids_.end();
}

void Matches::clear() {
  const std::lock_guard lock(mutex_);
  gids_.clear();
  count_ = 0;
}

std::vector<Gid> Matches::all() const {
  const std::lock_guard lock(mutex_);
  return gids_;
}

}  // namespace tandem::ros2
