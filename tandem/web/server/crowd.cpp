// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/server/crowd.hpp"

#include <netinet/in.h>

#include <algorithm>

#include "tandem/web/http/access.hpp"

namespace tandem::web {

void WrongTokens::note(std::uint32_t address, Instant when) {
  Place& place = places_[(address * 2654435761u) >> 24];
  if (place.address != address || when - place.since > lately) place = {address, 0, when};
  ++place.count;
}

bool WrongTokens::too_many(std::uint32_t address, Instant when) const {
  const Place& place = places_[(address * 2654435761u) >> 24];
  return place.address == address && place.count >= most && when - place.since <= lately;
}

std::uint32_t crowd_address(std::uint32_t caller) { return is_loopback(caller) ? INADDR_LOOPBACK : caller; }

std::size_t who_makes_room(std::span<const Waiter> waiters) {
  std::size_t worst = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    if (waiters[i].one_too_many) return i;
    const auto many = std::ranges::count(waiters, waiters[i].address, &Waiter::address);
    if (many <= most) continue;
    most = many;
    worst = i;
  }
  return worst;
}

}  // namespace tandem::web
