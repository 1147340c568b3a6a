// SPDX-License-Identifier: Apache-2.0
// What happens when this process stands still while the vehicle is steered: nothing old is believed, nothing old is
// done, and the vehicle is not armed again by itself. On a clock that is moved by hand.
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using rig::FakeVehicle;

namespace {

struct PausedSub {
  PausedSub() {
    auto owned = std::make_unique<Machine>(rig::setup_for(vehicle.url(), clock));
    bridge = owned.get();
    supervisor = std::make_unique<runtime::Supervisor>("sub", std::move(owned), clock, nullptr);
  }

  bool connect() {
    const std::jthread speaks([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        tick();
        std::this_thread::sleep_for(4ms);
      }
    });
    for (int i = 0; i < 100 && supervisor->status().connects == 0; ++i) supervisor->step({});
    return supervisor->status().connects == 1;
  }
  void tick() {
    clock.advance(20ms);
    vehicle.step();
  }
  void run(Duration time) {
    for (Duration passed{}; passed < time; passed += 20ms) {
      tick();
      supervisor->step({});
    }
  }
  // The vehicle goes on; nobody here does.
  void stand_still(Duration time) {
    for (Duration passed{}; passed < time; passed += 20ms) tick();
  }
  bool armed() const { return supervisor->latch().status().state == runtime::ArmState::armed; }

  ManualClock clock;
  FakeVehicle vehicle{clock};
  Machine* bridge = nullptr;
  std::unique_ptr<runtime::Supervisor> supervisor;
};

}  // namespace

TEST_CASE("G21 after a pause the vehicle is disarmed and stays so whatever the length of the pause") {
  PausedSub sub;
  REQUIRE(sub.connect());
  sub.run(500ms);
  for (const Duration pause : {Duration(1500ms), Duration(2s), Duration(4s), Duration(1min)}) {
    CAPTURE(seconds(pause));
    REQUIRE(sub.supervisor->latch().arm("test"));
    sub.run(1s);
    REQUIRE(sub.vehicle.armed);
    const int arms = sub.vehicle.arms;
    const std::uint32_t mode = sub.vehicle.mode;
    sub.bridge->commands().twist.post({{1, 0, 0}, 0, sub.clock.now()});
    sub.bridge->commands().goal.post({{5, 5, -2}, 0, sub.clock.now()});
    sub.bridge->commands().mode.post({Mode::guided, 7});
    const std::size_t sticks = sub.vehicle.sticks.size();
    sub.stand_still(pause);
    sub.run(4s);
    CHECK_FALSE(sub.armed());
    CHECK_FALSE(sub.vehicle.armed);
    CHECK(sub.vehicle.arms == arms);
    CHECK(sub.vehicle.mode == mode);
    CHECK(sub.vehicle.targets.empty());
    for (std::size_t i = sticks; i < sub.vehicle.sticks.size(); ++i) CHECK(sub.vehicle.sticks[i].x == 0);
    CHECK(sub.supervisor->status().state == runtime::LinkState::live);
  }
}

TEST_CASE("Who arms right after a refusal is not forgotten") {
  PausedSub sub;
  REQUIRE(sub.connect());
  sub.run(500ms);
  sub.vehicle.arm_result = mavlink::CommandResult::denied;
  REQUIRE(sub.supervisor->latch().arm("test"));
  for (int i = 0; i < 200 && sub.armed(); ++i) sub.run(20ms);
  REQUIRE_FALSE(sub.armed());
  sub.vehicle.arm_result = mavlink::CommandResult::accepted;
  REQUIRE(sub.supervisor->latch().arm("test"));  // before another cycle
  sub.run(3s);
  CHECK(sub.armed());
  CHECK(sub.vehicle.armed);
  CHECK(sub.bridge->state().activity == Activity::armed);
}

TEST_CASE("G8 and G21 what waited at the socket during a pause is not taken for the present") {
  PausedSub sub;
  REQUIRE(sub.connect());
  sub.run(500ms);
  REQUIRE(sub.bridge->state().quality == Quality::live);
  const auto before = sub.bridge->state().vehicle;
  sub.vehicle.roll = 1;
  sub.stand_still(3s);
  sub.supervisor->step({});
  CHECK(sub.bridge->state().vehicle.X_map_base.rotation == before.X_map_base.rotation);
  CHECK(sub.bridge->state().vehicle.attitude_at == before.attitude_at);
  CHECK(sub.bridge->state().quality == Quality::stale);
  sub.run(1500ms);
  CHECK(sub.supervisor->status().connects == 1);  // it was not the link that stood still
  CHECK(sub.bridge->state().quality == Quality::live);
  CHECK(sub.bridge->state().vehicle.X_map_base.rotation != before.X_map_base.rotation);
}

TEST_CASE("G20 the time of day jumps while the vehicle is steered and nothing stops") {
  PausedSub sub;
  REQUIRE(sub.connect());
  sub.run(500ms);
  REQUIRE(sub.supervisor->latch().arm("test"));
  sub.run(1s);
  REQUIRE(sub.vehicle.armed);
  for (const Duration jump : {Duration(1h), Duration(-2h), Duration(1s)}) {
    sub.clock.jump_utc(jump);
    sub.run(500ms);
    CHECK(sub.armed());
    CHECK(sub.supervisor->status().quality == Quality::live);
  }
}

TEST_CASE("V17 a SLAM that loses its map ends the chain and the first frame of the next one moves nothing") {
  rig::Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.05);
  rig.run(2s);
  const std::size_t sent = rig.vehicle.deltas.size();
  REQUIRE(sent >= 10);
  rig.sighting.map = 2;
  rig.sighting.X_world_camera.position = {40, -30, 7};  // another origin, another unit
  rig.sighting.visual = {6.19, 0.01, 100};
  rig.run(2s);
  CHECK(rig.vehicle.deltas.size() > sent + 5);
  for (const auto& delta : rig.vehicle.deltas)
    for (const float part : delta.position_delta) CHECK(std::abs(part) < 0.1F);
  CHECK(rig.state().scale == doctest::Approx(0.5).epsilon(0.02));
  CHECK(rig.state().outliers == 0);
}

TEST_CASE("V15 a reset of the estimate lays the SLAM's map anew and sends no wrong delta") {
  rig::Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.positions = true;
  rig.see(0.02);
  rig.run(1s);
  rig.vehicle.x += 3;  // north, which is y here
  rig.run(300ms);
  CHECK(rig.state().vehicle.estimate_jumps == 1);
  CHECK(rig.state().X_map_slam_base.position[1] == doctest::Approx(3).epsilon(0.05));
  for (const auto& delta : rig.vehicle.deltas)
    for (const float part : delta.position_delta) CHECK(std::abs(part) < 0.05F);
}
