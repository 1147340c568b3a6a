// SPDX-License-Identifier: Apache-2.0
// The warm scan of a link to a PLC: no allocation, read or notified, changed or not.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/allocations.hpp"
#include "tests/machines/generic/ads_rig.hpp"

namespace tandem::generic {
namespace {

using test::AdsClient;
using test::AdsPlc;

std::size_t allocated(AdsPlc& plc, AdsClient& client, int scans, bool moving) {
  const std::size_t before = allocations;
  std::size_t own = 0;
  for (int i = 0; i < scans; ++i) {
    if (moving) {
      const std::size_t outside = allocations;
      plc.put("count", i);
      plc.put("belts[2].fSpeed", 0.01 * i);
      own += allocations - outside;
    }
    const auto scan = client.link->scan(now(), client.readings, soon());
    if (!scan || scan->signals_changed) FAIL("scan ", i);
    std::this_thread::sleep_for(2ms);
  }
  return allocations - before - own;
}

// A host that holds the PLC up may make a frame larger than any before, whose place in the inbox then grows once: what
// a scan itself allocates is there in every round.
std::size_t least_allocated(AdsPlc& plc, AdsClient& client, int scans, bool moving) {
  std::size_t least = allocated(plc, client, scans, moving);
  for (int i = 0; i < 3 && least > 0; ++i) least = std::min(least, allocated(plc, client, scans, moving));
  return least;
}

TEST_CASE("a warm scan allocates nothing") {
  for (const bool notify : {false, true}) {
    Description description = test::conveyor();
    description.notify = notify;
    description.cycle = 0.002;
    AdsPlc plc(description);
    AdsClient client(description, plc.url);
    REQUIRE(client.connect());
    REQUIRE(client.until([&] { return client.reading("message").quality == SignalQuality::good; }));
    static_cast<void>(allocated(plc, client, 600, true));  // every place of the inbox has been used
    CHECK(least_allocated(plc, client, 300, true) == 0);
    CHECK(least_allocated(plc, client, 100, false) == 0);
    CHECK(client.reading("count").quality == SignalQuality::good);
  }
}

}  // namespace
}  // namespace tandem::generic
