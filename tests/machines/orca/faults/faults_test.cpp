// SPDX-License-Identifier: Apache-2.0
// The rows of the fault table that are the bridge's, by their numbers.
#include <chrono>
#include <limits>

#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using rig::FakeVehicle;
using rig::Rig;

TEST_CASE("V1 without heartbeats the vehicle is stale after three seconds and lost after five") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.run(500ms);
  rig.vehicle.heartbeat = false;
  rig.run(1800ms);
  CHECK(rig.last.quality == Quality::live);
  rig.run(1400ms);
  CHECK(rig.last.quality == Quality::stale);
  CHECK(rig.told("no heartbeat from the vehicle for 3 s"));
  rig.run(3s);
  CHECK(rig.lost);
}

TEST_CASE("V2 heartbeats alone are stale and outputs end") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.state().activity == Activity::armed);
  rig.vehicle.streams = false;
  rig.run(700ms);
  CHECK(rig.told("no attitude for"));
  CHECK(rig.disarms == 1);
  rig.vehicle.streams = true;
  rig.run(1s);
  CHECK(rig.state().quality == Quality::live);
  CHECK(rig.vehicle.arms == 1);  // nobody armed it again
}

TEST_CASE("V3 two vehicles with one address are found out and nothing is sent to either") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.02);
  rig.run(1s);
  const std::size_t sent = rig.vehicle.deltas.size();
  for (int i = 0; i < 20; ++i) {
    rig.vehicle.booted += i % 2 == 0 ? 9s : -9s;
    rig.run(100ms);
  }
  CHECK(rig.told("two vehicles answer as 1/1"));
  CHECK(rig.last.quality == Quality::invalid);
  CHECK(rig.vehicle.deltas.size() <= sent + 5);
}

TEST_CASE("V9 another dialect is named while the vehicle is waited for") {
  SystemClock clock;
  FakeVehicle vehicle(clock);
  vehicle.heartbeat = vehicle.streams = false;
  Machine bridge(rig::setup_for(vehicle.url(), clock));
  std::jthread speaks([&](const std::stop_token& stop) {
    // A heartbeat with one byte of its checksum as another definition would make it.
    static constexpr mavlink::MessageInfo other{0, "HEARTBEAT", 51, 9, 9};
    const std::array<std::uint8_t, 9> payload{};
    while (!stop.stop_requested()) {
      vehicle.step();
      vehicle.link().send_payload(other, payload);
      std::this_thread::sleep_for(5ms);
    }
  });
  const auto connected = bridge.connect(now() + 1s);
  REQUIRE_FALSE(connected.ok());
  CHECK(connected.error().text.find("waiting for a heartbeat from 1/1") != std::string::npos);
  CHECK(connected.error().text.find("another definition of message 0") != std::string::npos);
}

TEST_CASE("G1 an autopilot of another address is named") {
  SystemClock clock;
  FakeVehicle vehicle(clock, {.own = {7, 1}});
  Machine bridge(rig::setup_for(vehicle.url(), clock));
  std::jthread speaks([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      vehicle.step();
      std::this_thread::sleep_for(5ms);
    }
  });
  const auto connected = bridge.connect(now() + 2500ms);
  REQUIRE_FALSE(connected.ok());
  CHECK(connected.error().text.find("another autopilot is present: 7/1") != std::string::npos);
}

TEST_CASE("V11 a restart of the autopilot begins everything anew and disarms") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.02);
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.state().source_set == 1);
  rig.vehicle.booted = rig.clock.now().time_since_epoch();
  rig.vehicle.armed = false;
  rig.vehicle.streams_asked.clear();
  rig.run(1s);
  CHECK(rig.told("the autopilot was restarted"));
  CHECK(rig.disarms >= 1);
  CHECK(rig.vehicle.arms == 1);
  CHECK(rig.vehicle.streams_asked.contains(30));
  CHECK(rig.vehicle.source_sets.back() == 1);
  CHECK(rig.state().vehicle.reboots == 1);
}

TEST_CASE("V11 the autopilot's clock may wrap after 49 days") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.booted = rig.clock.now().time_since_epoch() - std::chrono::milliseconds(0x100000000LL - 300);
  rig.run(200ms);
  const auto reboots = rig.state().vehicle.reboots;
  rig.run(1s);
  CHECK(rig.state().vehicle.reboots == reboots);
  CHECK(rig.state().quality == Quality::live);
}

TEST_CASE("V13 lost acknowledgements are asked for again and arming gives up in the end") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.acknowledges = false;
  rig.vehicle.arm_result = mavlink::CommandResult::failed;
  rig.armed = true;
  rig.run(6s);
  CHECK(rig.disarms == 1);
  CHECK(rig.told("arming:"));
}

TEST_CASE("V14 an autopilot that disarms itself is followed and one that changes its mode too") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(3s);
  REQUIRE(rig.state().activity == Activity::armed);
  rig.vehicle.mode = 9;
  rig.run(1500ms);
  CHECK(rig.state().vehicle.mode == 9);
  rig.vehicle.armed = false;
  rig.run(2s);
  CHECK(rig.disarms == 1);
  CHECK(rig.told("the autopilot disarmed itself"));
  CHECK(rig.vehicle.arms == 1);
}

TEST_CASE("V15 a jump of the estimate is flagged and not smoothed") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.positions = true;
  rig.run(200ms);
  CHECK(rig.state().vehicle.estimate_jumps == 0);
  rig.vehicle.x += 1;
  rig.run(40ms);
  CHECK(rig.state().vehicle.estimate_jumps == 1);
  CHECK(rig.state().vehicle.X_map_base.position[1] == doctest::Approx(1));
}

TEST_CASE("V16 a sonar that says zero ends vision and the user is told what is waited for") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.02);
  rig.run(1s);
  rig.vehicle.sonar = 0;
  rig.run(2s);
  const std::size_t sent = rig.vehicle.deltas.size();
  rig.run(1s);
  CHECK(rig.vehicle.deltas.size() == sent);
  CHECK(rig.state().waiting.view().find("waiting for the sonar: last range 0.00 m") != std::string_view::npos);
  CHECK(rig.vehicle.source_sets.back() == 2);
  CHECK((rig.state().flags & waits::sonar) != 0);
  rig.vehicle.sonar = 3;
  rig.run(1s);
  CHECK(rig.vehicle.deltas.size() > sent);
}

TEST_CASE("V19 a flood leaves the cycle its turn") {
  Rig rig;
  REQUIRE(rig.connect());
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 2000; ++i) rig.vehicle.say(mavlink::RangeFinder{.distance = 3});
    rig.run(20ms);
  }
  rig.run(500ms);
  CHECK(rig.state().quality == Quality::live);
}

TEST_CASE("V20 parameters and files that are asked of us are not answered") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.run(5s);
  const int before = rig.vehicle.others;
  for (int i = 0; i < 10; ++i) {
    rig.vehicle.say(mavlink::ParamRequestList{.target_system = 200, .target_component = 197});
    rig.vehicle.say(mavlink::FileTransferProtocol{.target_system = 200, .target_component = 197});
    rig.run(40ms);
  }
  CHECK(rig.vehicle.others == before);
}

TEST_CASE("G18 and G19 numbers that are none and samples that repeat do not count") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.run(200ms);
  rig.vehicle.roll = std::numeric_limits<float>::quiet_NaN();
  rig.run(1s);
  CHECK(rig.last.quality == Quality::stale);
  CHECK(rig.state().vehicle.rejected > 10);
  CHECK(rig.state().vehicle.X_map_base.finite());
  rig.vehicle.roll = 0;
  rig.run(200ms);
  CHECK(rig.state().quality == Quality::live);
  rig.vehicle.streams = false;
  const std::uint32_t frozen = rig.vehicle.boot_ms();
  for (int i = 0; i < 50; ++i) {
    rig.vehicle.say(mavlink::Attitude{.time_boot_ms = frozen, .roll = 0.001F * static_cast<float>(i)});
    rig.run(20ms);
  }
  CHECK(rig.last.quality == Quality::stale);
}

TEST_CASE("G20 a jump of the wall clock breaks one delta and nothing else") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.02);
  rig.run(1s);
  const std::size_t sent = rig.vehicle.deltas.size();
  rig.clock.jump_utc(1h);
  rig.run(1s);
  CHECK(rig.vehicle.deltas.size() >= sent + 8);
  rig.clock.jump_utc(-1h);
  rig.run(2s);
  CHECK(rig.vehicle.deltas.size() >= sent + 20);
  for (const auto& delta : rig.vehicle.deltas) CHECK(delta.time_delta_usec <= 1'000'000);
}
