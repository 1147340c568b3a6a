// SPDX-License-Identifier: Apache-2.0
// A warm link allocates nothing, in either direction.
#include <doctest/doctest.h>

#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/services/command_client.hpp"
#include "tandem/protocols/mavlink/services/stream_requests.hpp"
#include "tests/allocations.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/mavlink/golden.hpp"

namespace tandem::mavlink {

TEST_CASE("a warm cycle of a link and its services does not allocate") {
  auto vehicle = Link::open("udpin:127.0.0.1:0", {.channel = {.own = {1, 1}}});
  REQUIRE(vehicle.ok());
  auto station = Link::open("udpout:" + vehicle->local().text());
  REQUIRE(station.ok());
  HeartbeatWatch watch({.of = {1, 1}});
  TimeSyncClient sync;
  CommandClient commands;
  const StreamRequests::Wanted wanted[] = {{30, 100ms}};
  StreamRequests streams({}, wanted);

  const auto cycle = [&](int i) {
    const Instant time = Instant(1h) + i * 20ms;
    station->send(ManualControl{.target = 1, .x = 1});
    sync.poll(time, *station);
    vehicle->send(Attitude{.time_boot_ms = static_cast<std::uint32_t>(20 * i)});
    vehicle->send(golden::heartbeat_message());
    while (const auto frame = vehicle->receive(Instant{})) answer_time_sync(*frame, time, *vehicle);
    while (const auto frame = station->receive(Instant{})) {
      watch.handle(*frame, time);
      sync.handle(*frame, time);
      streams.handle(*frame, time);
    }
    commands.poll(time, *station);
    (void)watch.presence(time);
  };
  for (int i = 0; i < 100; ++i) cycle(i);
  const std::size_t before = allocations;
  for (int i = 100; i < 300; ++i) cycle(i);
  CHECK(allocations == before);
  CHECK(streams.find(30)->count > 100);
}

}  // namespace tandem::mavlink
