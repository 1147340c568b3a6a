// SPDX-License-Identifier: Apache-2.0
// The cable robot's bridge on virtual winches: arming, moving, stops, and what it leaves behind.
#include <cmath>

#include "tests/allocations.hpp"
#include "tests/machines/cable_robot/cable_rig.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;

namespace {

double distance(const Rig& rig, double x, double y, double z) {
  return (rig.place() - Eigen::Vector3d(x, y, z)).norm();
}

Eigen::Vector3d home_of(const Rig& rig) { return rig.link.bridge->robot().design().home; }

bool is_off(Rig& rig) {
  return eventually([&] { return !rig.link.state().enabled && rig.link.state().mode == WinchMode::hold; });
}

}  // namespace

TEST_CASE("a robot that nobody armed is read and no winch is told anything") {
  Rig rig(Mode::idle, {"truth=true"});
  rig.link.start();
  rig.link.want(0.05, 0, 0.35);
  REQUIRE_MESSAGE(rig.link.flows(20), rig.link.all());
  CHECK(rig.link.recorder.limits == 1);
  CHECK(rig.link.recorder.enables == 0);
  CHECK(rig.link.recorder.disables == 0);
  CHECK(rig.link.recorder.pulses == 0);
  const State state = rig.link.state();
  CHECK(state.pose_known);
  CHECK((pose_of(state.pose).translation() - home_of(rig)).norm() < 0.005);
  CHECK(rig.speed() < 0.003);
  CHECK(eventually([&] { return rig.link.state().compared; }));
  CHECK(rig.link.state().estimate_error < 0.002);
}

TEST_CASE("an armed robot goes where it is told and stays there") {
  Rig rig(Mode::idle, {"truth=true"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
  const Eigen::Vector3d home = home_of(rig);
  rig.link.want(home.x() + 0.05, home.y() - 0.04, home.z() + 0.05);
  CHECK_MESSAGE(eventually([&] { return distance(rig, home.x() + 0.05, home.y() - 0.04, home.z() + 0.05) < 0.003; }),
                rig.link.all());
  CHECK(eventually([&] { return rig.link.state().arrived; }));
  const State state = rig.link.state();
  CHECK(state.input.view() == "desired pose");
  CHECK(state.slack == 0);
  CHECK(state.margin > 0);
  CHECK(rig.link.armed());
  CHECK(rig.link.recorder.violations == 0);
  CHECK(rig.link.recorder.widest_step < 0.02);
  bool has_tensions = false;
  for (const auto& value : rig.link.bridge->values()) has_tensions = has_tensions || value.name == "tensions";
  CHECK(has_tensions);
}

TEST_CASE("a target outside is refused with its reason and nothing moves") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  const Eigen::Vector3d before = rig.place();
  rig.link.want(2, 0, 0.3);
  CHECK_MESSAGE(eventually([&] { return rig.link.state().refused == 1; }), rig.link.all());
  CHECK(rig.link.state().refusal.view().find("desired pose: refused: ") == 0);
  pass(200ms);
  CHECK((rig.place() - before).norm() < 0.003);
  CHECK(rig.link.armed());
}

TEST_CASE("a target outside is projected where that is wanted") {
  Rig rig(Mode::idle, {"outside=project"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  rig.link.want(2, 0, 0.3);
  CHECK_MESSAGE(eventually([&] { return rig.place().x() > 0.05 && rig.link.state().has_target; }), rig.link.all());
  CHECK(rig.link.state().target[0] < 0.3);
}

TEST_CASE("a stop brakes the platform and then leaves the winches holding") {
  Rig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
  REQUIRE(rig.moves());
  rig.link.latch().stop("a test", "test");
  CHECK(rig.rests());
  CHECK(is_off(rig));
  CHECK(rig.link.recorder.disables >= 1);
  CHECK_FALSE(rig.link.latch().arm("test"));  // latched
  pass(200ms);
  CHECK(rig.speed() < 0.003);
  CHECK_MESSAGE(rig.link.arm(), rig.link.all());  // after a reset
  CHECK(rig.moves());
  CHECK(rig.link.recorder.widest_step < 0.02);
}

TEST_CASE("what was wanted before arming does not move the platform") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  const Eigen::Vector3d before = rig.place();
  rig.link.want(before.x() + 0.08, before.y(), before.z());
  pass(100ms);
  REQUIRE(rig.link.arm());
  pass(300ms);
  CHECK((rig.place() - before).norm() < 0.003);
}

TEST_CASE("a bridge that ends leaves the winches disabled and holding") {
  Rig rig;
  {
    SupervisedMachine link(rig.device->url(), {"task=path"});
    link.start();
    REQUIRE(link.flows());
    REQUIRE(link.arm());
    REQUIRE(rig.moves());
  }
  CHECK(rig.rests());
  auto client = modbus::Client::connect({"127.0.0.1", port_of(rig.device->url()), 1}, soon());
  REQUIRE(client);
  std::array<std::uint16_t, 8> head{};
  REQUIRE(client->read_registers(feedback::start, head, soon()));
  CHECK(head[feedback::enabled] == 0);
  CHECK(head[feedback::mode] == 0);
  CHECK((head[feedback::status] & feedback::status_watchdog) == 0);  // it was told, and had not to notice
}

TEST_CASE("tensions of another controller are passed on and when they end the cables keep their lengths") {
  Rig rig(Mode::idle, {"profile=cdpr", "control=tensions"});
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.latch().reset("test");
  REQUIRE(rig.link.latch().arm("test"));
  REQUIRE(eventually([&] { return rig.link.state().activity == Activity::resting; }));
  // The tensions that hold the platform, with more of what the cables pull against each other.
  TensionCommand order;
  order.tensions = rig.link.state().tensions;
  CHECK(eventually([&] {
    order.at = now();
    rig.link.bridge->commands().tensions.post(order);
    return rig.link.state().mode == WinchMode::tension;
  }));
  pass(100ms);
  CHECK(eventually([&] { return rig.link.state().mode == WinchMode::length; }));
  CHECK(rig.rests());
  CHECK(rig.link.armed());
  CHECK(rig.link.recorder.violations == 0);
}

TEST_CASE("the task moves the platform in six degrees and yields to a desired pose") {
  Rig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  REQUIRE(rig.moves());
  CHECK(eventually([&] { return rig.link.state().input.view() == "task"; }));
  CHECK(eventually([&] { return std::abs(rig.device->truth().rotation[3]) < 0.9999; }));
  const Eigen::Vector3d home = home_of(rig);
  rig.link.want(home.x(), home.y(), home.z());
  CHECK(eventually([&] { return rig.link.state().arrived && rig.link.state().input.view() == "desired pose"; }));
  CHECK(rig.rests());
}

TEST_CASE("a reference with its velocity is followed and becomes a target when the velocity ends") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  const Eigen::Vector3d home = home_of(rig);
  const Instant begin = now();
  double fastest = 0, x = home.x();
  while (now() - begin < 1500ms) {
    x = home.x() + 0.04 * seconds(now() - begin);
    rig.link.bridge->commands().velocity.post({{0.04, 0, 0, 0, 0, 0}, now()});
    rig.link.want(x, home.y(), home.z());
    fastest = std::max(fastest, rig.link.state().set_velocity[0]);
    pass(10ms);
  }
  CHECK(fastest > 0.02);
  CHECK_MESSAGE(rig.rests(), rig.link.all());
  CHECK(rig.place().x() > home.x() + 0.02);
  CHECK(std::abs(rig.place().x() - x) < 0.03);
  CHECK(rig.link.armed());
  CHECK(rig.link.recorder.widest_step < 0.02);
}

TEST_CASE("a velocity moves no pose on that nobody says any more") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  const Eigen::Vector3d home = home_of(rig);
  rig.link.want(home.x(), home.y(), home.z());
  const Instant begin = now();
  while (now() - begin < 1500ms) {
    rig.link.bridge->commands().velocity.post({{0.04, 0, 0, 0, 0, 0}, now()});
    pass(10ms);
  }
  CHECK(rig.link.state().set_velocity[0] == 0);
  CHECK(std::abs(rig.place().x() - home.x()) < 0.03);
  CHECK(rig.link.armed());
}

TEST_CASE("a warm cycle of an armed robot allocates nothing") {
  Rig rig;
  Machine bridge(setup_for(rig.device->url(), {"task=path", "truth=true"}));
  REQUIRE(bridge.connect(soon()));
  const std::atomic<bool> armed{true};
  const auto cycle = [&] {
    const auto done = bridge.cycle(machines::Permit(armed, system_clock(), Instant::max()));
    return done && !done->disarm && !done->stop;
  };
  REQUIRE(eventually([&] { return cycle() && bridge.state().activity == Activity::moving; }));
  std::size_t least = 1000;  // a late answer would be told in words; one quiet stretch is enough
  CHECK(eventually([&] {
    const std::size_t before = allocations;
    bool good = true;
    for (int i = 0; i < 30; ++i) good = good && cycle();
    least = std::min(least, allocations - before);
    return good && least == 0;
  }));
  CHECK(least == 0);
}

TEST_CASE("the way to the border ends where the pose is no longer inside") {
  const cables::Robot& robot = cables::Robot::standard();
  const Border border(robot, {});
  const double way = border.distance(robot.home());
  CHECK(way > 0.05);
  CHECK(way < 0.3);
  // A little less is inside along every axis, and a little more is outside along one of them.
  int outside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sense : {-1.0, 1.0}) {
      Pose there = robot.home();
      there.translation()[axis] += sense * (way - 0.001);
      CHECK(border.look(there).inside);
      there.translation()[axis] += sense * 0.003;
      if (border.look(there).inside) continue;
      ++outside;
      CHECK(border.distance(there) == 0);
    }
  }
  CHECK(outside > 0);
}

TEST_CASE("options that cannot be are named") {
  const auto trouble = [](const std::vector<std::string>& settings, const char* device = "modbus://127.0.0.1:1") {
    try {
      Machine bridge(setup_for(device, settings));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(trouble({}).empty());
  CHECK(trouble({}, "ads://127.0.0.1").find("expected an address like modbus://") != std::string::npos);
  CHECK(trouble({"shortest=5", "longest=3"}).find("shortest: expected less than longest") == 0);
  CHECK(trouble({"control=tensions"}).find("requires profile: cdpr") != std::string::npos);
  CHECK(trouble({"node=7up"}).find("7up") != std::string::npos);
  CHECK(trouble({"geometry=/nowhere.yaml"}) != "");
}
