// SPDX-License-Identifier: Apache-2.0
// A real ArduSub answers first and gives its reasons a little later.
#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using namespace tandem::orca::rig;

TEST_CASE("The reason that comes behind a refusal to arm is told") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.arm_result = mavlink::CommandResult::failed;
  rig.vehicle.say(mavlink::StatusText{.severity = 6, .text = "EKF3 IMU0 tilt alignment complete"});
  rig.armed = true;
  rig.run(200ms);
  CHECK(rig.disarms == 0);
  rig.vehicle.say(mavlink::StatusText{.severity = 2, .text = "Arm: Compass not calibrated"});
  rig.vehicle.say(mavlink::StatusText{.severity = 6, .text = "something else"});
  rig.run(500ms);
  CHECK(rig.disarms == 1);
  CHECK(rig.told("arming: failed; its last message: Arm: Compass not calibrated"));
}

TEST_CASE("A refusal without any reason is told all the same") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.arm_result = mavlink::CommandResult::failed;
  rig.armed = true;
  rig.run(1500ms);
  CHECK(rig.disarms == 1);
  CHECK(rig.told("arming: failed"));
}

TEST_CASE("Sticks and set points go out under the number of the ground station") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.state().activity == Activity::armed);
  for (int i = 0; i < 10; ++i) {
    rig.bridge.commands().twist.post({{0.5, 0, 0}, 0, rig.clock.now()});
    rig.run(100ms);
  }
  CHECK(rig.vehicle.sticks.size() > 5);
  const auto& senders = rig.vehicle.link().channel().senders();
  REQUIRE(senders.find({255, 197}) != nullptr);
  CHECK(senders.find({200, 197}) != nullptr);
  CHECK(rig.vehicle.heartbeats >= 2);  // under our own number; none as a ground station
}

TEST_CASE("Who disarms while the autopilot knows no attitude yet is not armed later") {
  Rig rig;
  rig.vehicle.ekf_flags = 0;
  REQUIRE(rig.connect());
  rig.run(200ms);
  rig.armed = true;
  rig.run(500ms);
  REQUIRE(rig.vehicle.arms == 0);
  rig.bridge.commands().disarming.post({1});
  rig.bridge.commands().arming.post({2});  // does not take its place
  rig.run(100ms);
  CHECK_FALSE(rig.armed.load());
  rig.vehicle.ekf_flags = ekf::attitude;
  rig.run(7s);
  CHECK(rig.vehicle.arms == 0);
}

TEST_CASE("A vehicle that a lost link left armed is disarmed when it is there again") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(2s);
  REQUIRE(rig.vehicle.armed);
  rig.armed = false;
  rig.bridge.disconnect();
  rig.vehicle.step();
  rig.vehicle.armed = true;  // as if nothing of it had reached the vehicle
  const int disarms = rig.vehicle.disarms;
  REQUIRE(rig.connect());
  rig.run(2s);
  CHECK(rig.vehicle.disarms > disarms);
  CHECK_FALSE(rig.vehicle.armed);
  CHECK(rig.state().activity == Activity::idle);
}
