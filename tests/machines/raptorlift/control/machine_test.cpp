// SPDX-License-Identifier: Apache-2.0
// The truck's bridge on a virtual PLC: arming, driving, stops, and what it leaves behind.
#include <cmath>

#include "tandem/protocols/modbus/client.hpp"
#include "tests/machines/raptorlift/lift_rig.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;

namespace {

bool is_off(Rig& rig) {
  return eventually([&] {
    const State state = rig.link.state();
    return state.activity == Activity::idle && !state.coils[1] && !state.coils[2] && !state.coils[3] && !state.coils[4];
  });
}

}  // namespace

TEST_CASE("a truck that nobody armed is read and nothing is written to its registers") {
  Rig rig;
  rig.link.start();
  rig.link.want(0.5, 0);
  REQUIRE_MESSAGE(rig.link.flows(20), rig.link.all());
  CHECK(rig.link.recorder.pulses == 1);
  CHECK(rig.link.recorder.motions == 0);
  CHECK(rig.link.recorder.writes == 0);
  CHECK(rig.speed() == 0);
  CHECK_FALSE(rig.link.state().compared);
}

TEST_CASE("an armed truck drives where the reference says and its odometry agrees with the truth") {
  Rig rig(Mode::idle, {"truth=true"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.5, 0.2);
  REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
  REQUIRE(rig.moves());
  pass(2s);
  const State state = rig.link.state();
  CHECK(state.twist.vx == doctest::Approx(0.5).epsilon(0.1));
  CHECK(state.twist.w == doctest::Approx(0.2).epsilon(0.1));
  rig.link.want_nothing();
  REQUIRE(rig.rests());
  pass(200ms);
  const TruckState truth = rig.device->truth();
  const State rest = rig.link.state();
  CHECK(rest.distance == doctest::Approx(truth.distance).epsilon(0.03));
  CHECK(rest.X_odom_base.yaw == doctest::Approx(truth.axle.yaw).epsilon(0.05));
  // The bridge compares them itself, from its first look on.
  CHECK(rest.compared);
  CHECK(rest.residual < 0.05);
  CHECK(rest.residual_yaw < 0.05);
  // Without a reference: speed 0, and the steering stays as it was.
  CHECK(rest.measured.rear_left == doctest::Approx(state.measured.rear_left).epsilon(0.1));
  CHECK(rig.link.armed());
  CHECK(rig.link.recorder.violations == 0);
}

TEST_CASE("a stop brakes the truck and then switches its motors off") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.8, 0);
  REQUIRE(rig.link.arm());
  REQUIRE(rig.moves());
  rig.link.latch().stop("a test", "test");
  CHECK(rig.rests());
  CHECK(is_off(rig));
  CHECK(rig.link.recorder.disables >= 4);
  CHECK(rig.link.recorder.zeros >= 1);
  CHECK_FALSE(rig.link.latch().arm("test"));  // latched
  pass(200ms);
  CHECK(rig.speed() < 0.1);
  CHECK(rig.link.arm());  // after a reset
  CHECK(rig.moves());
}

TEST_CASE("what was wanted before arming does not move the truck") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.5, 0);
  pass(100ms);
  rig.link.want_nothing();
  pass(50ms);
  REQUIRE(rig.link.arm());
  pass(300ms);
  CHECK(rig.speed() < 0.1);
}

TEST_CASE("a bridge that ends brakes first and leaves everything off") {
  Rig rig;
  std::uint16_t port = 0;
  {
    SupervisedMachine link(rig.device->url());
    link.start();
    REQUIRE(link.flows());
    link.want(0.6, 0);
    REQUIRE(link.arm());
    REQUIRE(rig.moves());
    const std::string url = rig.device->url();
    port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  CHECK(rig.speed() < 0.5);
  auto client = modbus::Client::connect({"127.0.0.1", port, 1}, now() + 5s);
  REQUIRE(client);
  std::array<bool, 5> coils{true, true, true, true, true};
  REQUIRE(client->read_coils(8192, coils, now() + 1s));
  for (const bool level : coils) CHECK_FALSE(level);
  std::array<std::uint16_t, 16> words{1};
  REQUIRE(client->read_registers(0, words, now() + 1s));
  for (const std::uint16_t word : words) CHECK(word == 0);
}

TEST_CASE("joint commands drive the truck when they are its commander and stop it when they end") {
  Rig rig(Mode::idle, {"control=joint_commands"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.5, 0);  // the other commander: without effect
  REQUIRE(rig.link.arm());
  pass(200ms);
  CHECK(rig.speed() < 0.1);
  CHECK(eventually([&] {
    rig.link.bridge->commands().joints.post({{3, 3, 0.2, 0.2}, now()});
    return rig.speed() > 2 && rig.device->truth().angles[2] > 0.1;
  }));
  CHECK(rig.rests());
  CHECK(rig.link.armed());
  CHECK(rig.device->truth().angles[2] == doctest::Approx(0.2).epsilon(0.1));
}

TEST_CASE("function 23 does the same in one request") {
  Rig rig(Mode::idle, {"exchange=one_request"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.5, 0);
  REQUIRE(rig.link.arm());
  CHECK_MESSAGE(rig.moves(), rig.link.all());
  CHECK(rig.link.flows(30));
  CHECK(rig.link.armed());
}

TEST_CASE("a gear limits the speed of the whole truck") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.bridge->commands().gear.post(5);  // 0.25 m/s
  rig.link.want(1, 0);
  REQUIRE(rig.link.arm());
  REQUIRE(rig.moves());
  CHECK(eventually([&] { return std::abs(rig.speed() * 0.1715 - 0.25) < 0.025; }));
  // Half of what was commanded, on average: wheels in the air overshoot for a moment when a busy host delays a command.
  const double before = rig.device->truth().axle.x;
  const Instant start = now();
  pass(500ms);
  const double driven = rig.device->truth().axle.x - before;
  CHECK(driven < 0.5 * seconds(now() - start));
}

TEST_CASE("the task drives a figure eight until somebody else drives, and again after the next arm") {
  Rig rig(Mode::idle, {"task=figure_eight"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  CHECK(rig.moves());
  CHECK(eventually([&] { return rig.link.state().input.view() == "task"; }));
  rig.link.want(-0.3, 0);
  CHECK(eventually([&] { return rig.link.state().input.view() == "reference" && rig.link.state().twist.vx < -0.1; }));
  rig.link.want_nothing();
  CHECK(eventually([&] { return rig.link.state().input.empty() && std::abs(rig.link.state().twist.vx) < 0.01; }));
  pass(700ms);
  CHECK(std::abs(rig.link.state().twist.vx) < 0.01);
  CHECK(rig.link.state().task_off);
  rig.link.latch().reset("test");
  REQUIRE(eventually([&] { return rig.link.state().activity == Activity::idle; }));
  REQUIRE(rig.link.arm());
  CHECK(eventually([&] { return rig.link.state().twist.vx > 0.2; }));
}
