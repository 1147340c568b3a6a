// SPDX-License-Identifier: Apache-2.0
// The hub on a real server, as a viewer sees the two of them.
#include <nlohmann/json.hpp>

#include "tandem/web/hub/hub.hpp"
#include "tests/web/server/server_rig.hpp"

namespace tandem::web {

TEST_CASE("A viewer of large latched messages gets the newest of all of them and stays") {
  // Two of them are more than may wait for one client.
  ServerOptions options = free_port();
  options.limits.outbox_bytes = 1 << 20;
  constexpr std::size_t size = 600'000;
  constexpr std::uint32_t maps = 5;
  std::atomic<int> rounds = 0;
  Hub* there = nullptr;
  World world;
  world.tick = [&] {
    if (rounds == 0) return;
    --rounds;
    for (ChannelId id = 1; id <= maps; ++id) there->publish(id, 1, Buffer(size, static_cast<std::uint8_t>(id)), false);
  };
  Hub hub(std::move(world));
  there = &hub;
  for (ChannelId id = 1; id <= maps; ++id) {
    REQUIRE(hub.add_channel({"/map", "cdr", "t", "", "", 1}) == id);
    hub.publish(id, 1, Buffer(size, static_cast<std::uint8_t>(100 + id)), false);
  }
  Server server(options, hub);
  hub.attach(server);
  const std::jthread thread([&](const std::stop_token& stop) { server.run(stop); });
  WireClient viewer(server.local().port);
  REQUIRE(viewer.ask("GET /", WireClient::upgrade_headers("foxglove.sdk.v1")).status == 101);
  nlohmann::json subscriptions;
  for (ChannelId id = 1; id <= maps; ++id) subscriptions.push_back({{"id", id}, {"channelId", id}});
  viewer.send_text(nlohmann::json{{"op", "subscribe"}, {"subscriptions", subscriptions}}.dump());

  std::map<std::uint32_t, std::uint8_t> newest;  // what each subscription showed last
  const auto look_until = [&](auto done) {
    for (const Instant end = soon(60s); !done();) {
      REQUIRE(now() < end);
      const WireFrame frame = viewer.frame();
      REQUIRE(frame.opcode != -1);
      REQUIRE(frame.opcode != 8);
      if (frame.opcode == 9) viewer.send(10, frame.payload);
      if (frame.opcode != 2) continue;
      REQUIRE(frame.payload.size() == 13 + size);
      newest[frame.payload[1]] = frame.payload.back();
    }
  };
  const auto all_are = [&](std::uint8_t offset) {
    for (std::uint32_t id = 1; id <= maps; ++id)
      if (newest[id] != offset + id) return false;
    return true;
  };
  look_until([&] { return all_are(100); });
  rounds = 10;
  REQUIRE(eventually([&] { return rounds == 0; }));
  look_until([&] { return all_are(0); });
  CHECK(server.counts().accepted == 1);
  CHECK(server.counts().given_up == 0);
}

}  // namespace tandem::web
