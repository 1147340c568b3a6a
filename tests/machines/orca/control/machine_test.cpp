// SPDX-License-Identifier: Apache-2.0
// The bridge beside an autopilot on a real socket, on a clock that is moved by hand.
#include <cmath>
#include <numbers>

#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using rig::Rig;

TEST_CASE("The bridge says who it is and asks for streams and writes parameters and gives an origin") {
  Rig rig({"parameters=[SYSID_MYGCS=200]"});
  REQUIRE(rig.connect());
  const int before = rig.vehicle.heartbeats;
  rig.run(8s);
  REQUIRE_FALSE(rig.lost);
  CHECK(rig.vehicle.heartbeats - before >= 6);
  CHECK(rig.vehicle.heartbeats - before <= 10);
  for (const std::uint32_t id : {30U, 32U, 33U, 173U, 193U}) CHECK(rig.vehicle.streams_asked.contains(id));
  CHECK(rig.vehicle.parameters.contains("SYSID_MYGCS"));
  CHECK(rig.vehicle.origins == 1);
  CHECK(rig.state().quality == Quality::live);
  CHECK(rig.state().vehicle.has_origin);
}

TEST_CASE("North is y and heading east is no turn at all") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.yaw = static_cast<float>(std::numbers::pi / 2);
  rig.vehicle.positions = true;
  rig.vehicle.x = 5;
  rig.vehicle.y = 7;
  rig.vehicle.z = 2;
  rig.run(200ms);
  const PlainPose pose = rig.state().vehicle.X_map_base;
  CHECK(pose.position[0] == doctest::Approx(7));
  CHECK(pose.position[1] == doctest::Approx(5));
  CHECK(pose.position[2] == doctest::Approx(-2));
  CHECK(std::abs(pose.rotation[0]) == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("Frames of the SLAM become deltas in metres with their span and the sources follow") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.see(0.05);
  rig.run(2s);
  REQUIRE(rig.vehicle.deltas.size() >= 15);
  const auto& delta = rig.vehicle.deltas.back();
  CHECK(delta.time_delta_usec == 100'000);
  CHECK(delta.position_delta[0] == doctest::Approx(0).epsilon(1e-6));
  CHECK(delta.position_delta[1] == doctest::Approx(0.05).epsilon(1e-3));  // scale 1, to starboard
  CHECK(delta.confidence > 50);
  CHECK(delta.confidence < 100);
  CHECK(rig.state().scale == doctest::Approx(1).epsilon(1e-3));
  CHECK(rig.vehicle.source_sets == std::vector{1});
  CHECK(rig.state().source_set == 1);
  CHECK(rig.state().flags == waits::ekf);
  CHECK(rig.state().waiting.view().find("EKF") != std::string_view::npos);
  const std::size_t sent = rig.vehicle.deltas.size();
  rig.sighting.tracking = Tracking::lost;
  rig.run(1s);
  CHECK(rig.vehicle.deltas.size() <= sent + 1);
  CHECK(rig.vehicle.source_sets == std::vector{1, 2});
  rig.sighting.tracking = Tracking::ok;
  rig.vehicle.ekf_flags = ekf::attitude | ekf::height | ekf::position_relative;
  rig.run(1s);
  CHECK(rig.vehicle.source_sets == std::vector{1, 2, 1});
  CHECK(rig.state().waiting.empty());
}

TEST_CASE("The other two vision messages tell the pose in NED") {
  for (const bool odometry : {false, true}) {
    Rig rig({odometry ? "vision_message=odometry" : "vision_message=estimate"});
    REQUIRE(rig.connect());
    rig.vehicle.positions = true;
    rig.vehicle.x = 4;
    rig.see(0.1);
    rig.run(1s);
    CHECK(rig.vehicle.deltas.empty());
    // The map was laid at x = 4 with the bow to the north; the camera goes to starboard, which is east.
    if (odometry) {
      REQUIRE(rig.vehicle.odometries.size() > 3);
      const auto& last = rig.vehicle.odometries.back();
      CHECK(last.frame_id == 20);        // LOCAL_FRD and BODY_FRD: ArduPilot drops all others
      CHECK(last.child_frame_id == 12);  // without a word
      CHECK(last.x == doctest::Approx(4).epsilon(1e-3));
      CHECK(last.y > 0.2);
      CHECK(last.vy == doctest::Approx(1).epsilon(0.01));
      CHECK(std::abs(last.q[0]) == doctest::Approx(1).epsilon(1e-4));
    } else {
      REQUIRE(rig.vehicle.estimates.size() > 3);
      CHECK(rig.vehicle.estimates.back().x == doctest::Approx(4).epsilon(1e-3));
      CHECK(rig.vehicle.estimates.back().y > 0.2);
      CHECK(rig.vehicle.estimates.back().yaw == doctest::Approx(0).epsilon(1e-4));
    }
  }
}

TEST_CASE("A map of the SLAM is placed by the heading of an initialised EKF and again when that is reset") {
  Rig rig({"vision_message=odometry"});
  rig.vehicle.ekf_flags = ekf::uninitialised;  // it has just started: its heading is a first guess
  REQUIRE(rig.connect());
  rig.see(0.1);
  rig.run(1s);
  CHECK(rig.vehicle.odometries.empty());
  CHECK_FALSE(rig.state().placed);
  rig.vehicle.yaw = static_cast<float>(std::numbers::pi / 2);  // the compass counts
  rig.vehicle.ekf_flags = ekf::attitude | ekf::height | ekf::constant_position;
  rig.run(1s);
  REQUIRE(rig.vehicle.odometries.size() > 3);
  // The camera goes to starboard, which is south.
  CHECK(rig.vehicle.odometries.back().x < -0.2);
  CHECK(rig.vehicle.odometries.back().y == doctest::Approx(0).epsilon(0.01));
  const auto resets = rig.vehicle.odometries.back().reset_counter;
  rig.vehicle.yaw = 0;  // the estimator has made up its mind
  rig.run(1s);
  CHECK(rig.vehicle.odometries.back().reset_counter != resets);
  CHECK(rig.vehicle.odometries.back().y > 0.2);
  CHECK(rig.state().vehicle.estimate_jumps == 2);  // both turns
}

TEST_CASE("Nothing that moves the vehicle leaves unless it was armed and a stop disarms it") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.bridge.commands().twist.post({{0.5, 0, 0}, 0, rig.clock.now()});
  rig.run(1s);
  CHECK(rig.vehicle.sticks.empty());
  CHECK(rig.vehicle.arms == 0);
  rig.armed = true;
  rig.run(2s);
  CHECK(rig.vehicle.arms == 1);
  CHECK(rig.state().activity == Activity::armed);
  CHECK(rig.vehicle.sticks.size() == 3);    // neutral, so that no older ones count; then silence
  CHECK(rig.vehicle.sticks.back().x == 0);  // what was wanted before does not count
  rig.bridge.commands().twist.post({{0.5, 0.25, -1}, 0.5, rig.clock.now()});
  rig.run(200ms);
  const auto stick = rig.vehicle.sticks.back();
  CHECK(stick.x == 500);
  CHECK(stick.y == -250);
  CHECK(stick.z == 0);
  CHECK(stick.r == -500);
  rig.run(1s);  // and nobody says anything more
  CHECK(rig.vehicle.sticks.back().x == 0);
  CHECK(rig.vehicle.sticks.back().z == 500);
  const std::size_t released = rig.vehicle.sticks.size();
  rig.run(4s);  // neutral for longer than ArduSub holds the last sticks (3 s), as a gap may take some; then silence
  const std::size_t steered = rig.vehicle.sticks.size();
  CHECK(steered >= released + 25);  // of 35 at 10 Hz, at most 6 before the first look
  rig.run(2s);
  CHECK(rig.vehicle.sticks.size() == steered);
  rig.armed = false;
  rig.run(1500ms);
  CHECK(rig.vehicle.disarms >= 1);
  CHECK_FALSE(rig.vehicle.armed);
  CHECK(rig.state().activity == Activity::idle);
  const std::size_t sticks = rig.vehicle.sticks.size();
  rig.run(1s);
  CHECK(rig.vehicle.sticks.size() == sticks);
}

TEST_CASE("While armed and flown by others no stick of ours comes between theirs") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(2s);
  REQUIRE(rig.state().activity == Activity::armed);
  const std::size_t before = rig.vehicle.sticks.size();
  rig.vehicle.mode = 2;  // a ground station flies it in ALT_HOLD
  rig.run(3s);
  CHECK(rig.vehicle.sticks.size() == before);
  rig.vehicle.mode = 4;
  rig.run(2s);
  CHECK(rig.vehicle.sticks.size() == before);  // and in GUIDED
  rig.bridge.commands().goal.post({{1, 2, -1}, 0, rig.clock.now()});
  rig.run(2s);
  const std::size_t steered = rig.vehicle.sticks.size();
  CHECK(steered >= before + 15);  // now we do, and a pilot is there all the time
  rig.bridge.commands().mode.post({Mode::alt_hold, 1});
  rig.run(20s);  // the goal is forgotten with GUIDED
  const std::size_t held = rig.vehicle.sticks.size();
  rig.run(2s);
  CHECK(rig.vehicle.sticks.size() == held);
  rig.bridge.commands().mode.post({Mode::automatic, 2});
  rig.run(2s);
  CHECK(rig.vehicle.sticks.size() >= held + 10);  // it flies a mission that we were asked to begin
  for (const auto& stick : rig.vehicle.sticks) CHECK((stick.x == 0 && stick.y == 0 && stick.r == 0 && stick.z == 500));
}

TEST_CASE("In guided mode twists are velocities of the world and goals are places") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.mode = static_cast<std::uint32_t>(Mode::guided);
  rig.vehicle.yaw = static_cast<float>(std::numbers::pi / 2);  // to the east
  rig.armed = true;
  rig.run(2s);
  rig.bridge.commands().twist.post({{0.5, 0, 0.1}, 0.2, rig.clock.now()});
  rig.run(200ms);
  REQUIRE_FALSE(rig.vehicle.targets.empty());
  auto target = rig.vehicle.targets.back();
  CHECK(target.type_mask == 0x5C7);
  CHECK(target.vx == doctest::Approx(0).epsilon(1e-5));
  CHECK(target.vy == doctest::Approx(0.5));
  CHECK(target.vz == doctest::Approx(-0.1));
  CHECK(target.yaw_rate == doctest::Approx(-0.2));
  CHECK(rig.vehicle.sticks.back().x == 0);
  rig.run(1s);
  CHECK(rig.vehicle.targets.back().vy == 0);
  rig.bridge.commands().goal.post({{1, 2, -3}, 0, rig.clock.now()});
  rig.run(200ms);
  target = rig.vehicle.targets.back();
  CHECK(target.type_mask == 0x9F8);
  CHECK(target.x == doctest::Approx(2));
  CHECK(target.y == doctest::Approx(1));
  CHECK(target.z == doctest::Approx(3));
  CHECK(target.yaw == doctest::Approx(std::numbers::pi / 2));
}

TEST_CASE("A goal waits a while for guided mode and not for ever") {
  for (const Duration wait : {2s, 12s}) {
    Rig rig;
    REQUIRE(rig.connect());
    rig.armed = true;
    rig.run(2s);
    rig.bridge.commands().goal.post({{1, 2, -3}, 0, rig.clock.now()});
    rig.run(wait);
    CHECK(rig.vehicle.targets.empty());
    rig.vehicle.mode = static_cast<std::uint32_t>(Mode::guided);
    rig.run(2s);
    CHECK(rig.vehicle.targets.empty() == (wait > 10s));
  }
}

TEST_CASE("A sonar without any range is refused") {
  CHECK_THROWS_AS(Rig({"sonar_min=5", "sonar_max=5"}), std::invalid_argument);
  CHECK_NOTHROW(Rig({"sonar_min=5", "sonar_max=6"}));
}

TEST_CASE("Arming that is refused disarms the latch and says why") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.arm_result = mavlink::CommandResult::denied;
  rig.vehicle.say(mavlink::StatusText{.severity = 2, .text = "PreArm: leak"});
  rig.armed = true;
  rig.run(1s);
  CHECK(rig.disarms == 1);
  CHECK(rig.told("denied"));
  CHECK(rig.told("PreArm: leak"));
}

TEST_CASE("A vehicle that somebody else has armed is left alone and keeps its mode") {
  Rig rig;
  rig.vehicle.armed = true;
  REQUIRE(rig.connect());
  rig.bridge.commands().mode.post({Mode::guided, 1});
  rig.run(1s);
  CHECK(rig.vehicle.mode == 19);
  CHECK(rig.vehicle.armed);
  CHECK(rig.vehicle.disarms == 0);
  CHECK(rig.vehicle.sticks.empty());
}

TEST_CASE("Modes and missions reach the autopilot") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.bridge.commands().mode.post({Mode::alt_hold, 1});
  auto upload = std::make_unique<MissionCommand>();
  upload->kind = MissionCommand::Kind::upload;
  upload->items.resize(3);
  upload->items[2].command = 16;
  rig.bridge.commands().mission.post(std::move(upload));
  rig.run(2s);
  CHECK(rig.vehicle.mode == static_cast<std::uint32_t>(Mode::alt_hold));
  CHECK(rig.state().vehicle.mode == static_cast<std::uint32_t>(Mode::alt_hold));
  CHECK(rig.vehicle.missions().items().size() == 3);
  auto clear = std::make_unique<MissionCommand>();
  clear->kind = MissionCommand::Kind::clear;
  rig.bridge.commands().mission.post(std::move(clear));
  rig.run(1s);
  CHECK(rig.vehicle.missions().items().empty());
}

TEST_CASE("Devices are named by one address") {
  CHECK(link_address_from("mavlink://127.0.0.1").bind_port == 14551);
  CHECK(link_address_from("mavlink://0.0.0.0:14550?link=udpin").bind_host == "0.0.0.0");
  CHECK(link_address_from("mavlink://10.0.0.2:5763?link=tcp").port == 5763);
  CHECK(link_address_from("mavlink://10.0.0.2?link=tcp").port == 5760);
  CHECK(link_address_from("mavlink://localhost?link=serial&device=/dev/ttyACM0").device == "/dev/ttyACM0");
  for (const char* bad : {"ads://127.0.0.1", "mavlink://h?link=pigeon", "mavlink://h?link=serial", "mavlink://h?x=1"})
    CHECK_THROWS_AS(link_address_from(bad), std::invalid_argument);
}

TEST_CASE("A bridge that goes disarms what it has armed") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.vehicle.armed);
  rig.bridge.disconnect();
  rig.vehicle.step();
  CHECK_FALSE(rig.vehicle.armed);
  CHECK(rig.vehicle.sticks.back().z == 500);
}
