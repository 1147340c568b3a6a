// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/backoff.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tandem::net {

TEST_CASE("the wait doubles from 20 to 150 ms with a jitter that only shortens") {
  Backoff backoff(3);
  for (const int whole : {20, 40, 80, 150, 150, 150}) {
    const Duration wait = backoff.next(1s);
    CHECK(wait <= std::chrono::milliseconds(whole));
    CHECK(wait >= std::chrono::milliseconds(whole) * 3 / 4);
  }
  CHECK(backoff.next(6min) >= 750ms);
  backoff.reset();
  CHECK(backoff.next(1s) <= 20ms);
}

TEST_CASE("links that are made at different times do not retry in step") {
  std::vector<Duration> waits;
  for (const std::uint64_t seed : {1, 2, 3, 4}) waits.push_back(Backoff(seed).next(1s));
  for (std::size_t i = 1; i < waits.size(); ++i) CHECK(waits[i] != waits[0]);
}

}  // namespace tandem::net
