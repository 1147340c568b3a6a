// SPDX-License-Identifier: Apache-2.0
// The truck's bridge with servers that behave as other people's do.
#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/machines/rigs/modbus_relay.hpp"

using namespace tandem;
using namespace tandem::raptorlift::rig;

TEST_CASE("a server that answers only the first request of a segment is driven at the full rate") {
  kit::expect_at_rate<Truck>(kit::Habit::first_of_segment, 50);
}

TEST_CASE("a server with Nagle's algorithm is driven at the full rate") {
  kit::expect_at_rate<Truck>(kit::Habit::nagle, 50);
}

TEST_CASE("a server that takes its time is live and slow and says why") { kit::expect_slow_is_told<Truck>(); }
