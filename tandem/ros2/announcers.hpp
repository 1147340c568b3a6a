// Who has announced itself to a participant: so many at most, and the silent make room for new ones.
//
// Fast DDS remembers for good the number of every announcement it has seen, also of those for which it had no room, and
// then never looks at that participant again. So those for whom there is no room are kept from it until there is.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/rtps_parameters.hpp"

namespace tandem::ros2 {

// Any thread.
class Announcers {
 public:
  static constexpr std::size_t most = 512;

  // Whether the participant has a place, old or new. A lease that is longer than a day never ends.
  bool admit(const ParticipantPrefix& who, std::int32_t lease, Instant now) {
    const std::lock_guard lock(mutex_);
    const Instant ends =
        lease < 0 || lease > 86'400 ? Instant::max() : now + std::chrono::seconds(lease) + std::chrono::seconds(1);
    if (const auto found = leases_.find(who); found != leases_.end()) {
      found->second = ends;
      return true;
    }
    if (leases_.size() >= most && now >= next_look_) {
      std::erase_if(leases_, [&](const auto& entry) { return entry.second < now; });
      next_look_ = now + std::chrono::milliseconds(100);
    }
    if (leases_.size() >= most) return false;
    leases_.emplace(who, ends);
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<ParticipantPrefix, Instant> leases_;
  Instant next_look_{};
};

}  // namespace tandem::ros2
