// SPDX-License-Identifier: Apache-2.0
// The demonstration's task before a vehicle made of a few numbers, on a clock that is moved by hand.
#include "tandem/machines/orca/control/task.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using Stage = BoxTask::Stage;

namespace {

// Goes where it is told, at 0.3 m/s, above a floor at -4 m; changes its mode at once.
struct BoxBench {
  explicit BoxBench(const BoxOptions& options = {}) : task(options) { vehicle.estimates_position = true; }

  void step(Duration dt = 100ms) {
    at += dt;
    auto& place = vehicle.X_map_base.position;
    vehicle.sonar = place[2] + 4;
    if (sonar) vehicle.sonar_at = at;
    vehicle.position_at = at;
    wish = task.step(vehicle, waiting, at);
    vehicle.mode = static_cast<std::uint32_t>(wish.mode);
    place[2] = std::min(0.0, place[2] + 0.5 * wish.heave * seconds(dt));
    if (wish.goal) {
      const auto& goal = wish.goal->position;
      const double far = std::hypot(goal[0] - place[0], goal[1] - place[1], goal[2] - place[2]);
      const double share = far > 0 ? std::min(1.0, 0.3 * seconds(dt) / far) : 0;
      for (std::size_t i = 0; i < 3; ++i) place[i] += share * (goal[i] - place[i]);
    }
    lowest = std::min(lowest, vehicle.sonar);
    if (stages.empty() || stages.back() != task.text()) stages.emplace_back(task.text());
  }
  template <typename Condition>
  bool until(Condition condition, Duration limit = 300s) {
    for (const Instant end = at + limit; at < end;) {
      step();
      if (condition()) return true;
    }
    return false;
  }
  bool until_stage(Stage stage) {
    return until([&] { return task.stage() == stage; });
  }

  BoxTask task;
  Vehicle vehicle;
  BoxTask::Wish wish;
  std::string waiting;
  bool sonar = true;
  Instant at{1000s};
  double lowest = 1e9;
  std::vector<std::string> stages;
};

}  // namespace

TEST_CASE("The task dives and holds and flies a box and again") {
  BoxBench bench;
  REQUIRE(bench.until([&] { return bench.task.boxes() == 2; }));
  CHECK(bench.lowest == doctest::Approx(2.1).epsilon(0.05));
  REQUIRE(bench.stages.size() >= 12);
  CHECK(bench.stages[0].find("diving to 2.0 m") == 0);
  CHECK(bench.stages[2] == "holding position");
  for (int corner = 0; corner < 4; ++corner)
    CHECK(bench.stages[static_cast<std::size_t>(3 + corner)] ==
          "box 1, going to corner " + std::to_string(corner + 1) + " of 4");
  CHECK(bench.stages[8] == "box 2, going to corner 1 of 4");
  // It is back where the box began.
  CHECK(std::hypot(bench.vehicle.X_map_base.position[0], bench.vehicle.X_map_base.position[1]) < 0.25);
}

TEST_CASE("Corners lie ahead and to the left of where the vehicle looks") {
  BoxBench bench({.side = 3});
  Pose turned = Pose::Identity();
  turned.linear() = Eigen::AngleAxisd(std::acos(-1.0) / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  bench.vehicle.X_map_base = plain_from(turned);  // to the north
  REQUIRE(bench.until_stage(Stage::fly));
  REQUIRE(bench.wish.goal);
  CHECK(bench.wish.goal->position[0] == doctest::Approx(0).epsilon(1e-9));
  CHECK(bench.wish.goal->position[1] == doctest::Approx(3));
  CHECK(bench.wish.goal->yaw == doctest::Approx(std::acos(-1.0) / 2));
  REQUIRE(bench.until([&] { return bench.task.corner() == 1; }));
  CHECK(bench.wish.goal->position[0] == doctest::Approx(-3));
}

TEST_CASE("Without a sonar nothing is dived to") {
  BoxBench bench;
  bench.sonar = false;
  for (int i = 0; i < 100; ++i) bench.step();
  CHECK(bench.task.stage() == Stage::wait_for_sonar);
  CHECK(bench.vehicle.X_map_base.position[2] == 0);
  bench.sonar = true;
  REQUIRE(bench.until_stage(Stage::dive));
  bench.step();
  bench.sonar = false;
  REQUIRE(bench.until_stage(Stage::wait_for_sonar));
  CHECK(bench.wish.heave == 0);
}

TEST_CASE("When vision is lost the task holds its depth and says why and goes on to the same corner") {
  BoxBench bench;
  REQUIRE(bench.until([&] { return bench.task.stage() == Stage::fly && bench.task.corner() == 2; }));
  bench.waiting = "waiting for the SLAM: lost";
  bench.step();
  CHECK(bench.task.stage() == Stage::find_vision);
  CHECK(bench.wish.mode == Mode::alt_hold);
  CHECK(bench.wish.heave == 0);
  CHECK_FALSE(bench.wish.goal);
  CHECK(bench.task.text() == "holding depth: waiting for the SLAM");
  const auto place = bench.vehicle.X_map_base.position;
  REQUIRE(bench.until_stage(Stage::search));
  double least = 1e9, most = -1e9;
  for (int i = 0; i < 300; ++i) {
    bench.step();
    least = std::min(least, bench.vehicle.sonar);
    most = std::max(most, bench.vehicle.sonar);
  }
  CHECK(least > 1.9);
  CHECK(most < 2.6);
  CHECK(most - least > 0.4);
  CHECK(bench.vehicle.X_map_base.position[0] == place[0]);
  CHECK(bench.vehicle.X_map_base.position[1] == place[1]);
  bench.waiting.clear();
  const Instant back = bench.at;
  REQUIRE(bench.until_stage(Stage::fly));
  CHECK(bench.at - back >= 2s);
  CHECK(bench.task.corner() == 2);
  CHECK(bench.until([&] { return bench.task.boxes() == 1; }));
}

TEST_CASE("An estimate that jumps begins the box anew where the vehicle is") {
  BoxBench bench;
  REQUIRE(bench.until([&] { return bench.task.stage() == Stage::fly && bench.task.corner() == 1; }));
  bench.vehicle.X_map_base.position[0] += 100;
  ++bench.vehicle.estimate_jumps;
  bench.step();
  CHECK(bench.task.stage() == Stage::hold);
  REQUIRE(bench.wish.goal);
  CHECK(bench.wish.goal->position[0] > 90);
}

TEST_CASE("A corner that is not reached is given up") {
  BoxBench bench({.leg_patience = 20s});
  REQUIRE(bench.until_stage(Stage::fly));
  const auto place = bench.vehicle.X_map_base.position;
  REQUIRE(bench.until([&] {
    bench.vehicle.X_map_base.position = place;
    return bench.task.stage() == Stage::hold;
  }));
  CHECK(bench.task.text().find("not reached") != std::string_view::npos);
}

TEST_CASE("Only an armed vehicle is given the task's modes and sticks and a stop ends them") {
  rig::Rig rig({"task=box"});
  REQUIRE(rig.connect());
  rig.vehicle.sonar = 4;
  rig.run(3s);
  CHECK(rig.vehicle.mode == 19);
  CHECK(rig.vehicle.sticks.empty());
  CHECK(rig.state().stage.view() == "waiting to be armed");
  rig.armed = true;
  rig.run(6s);
  CHECK(rig.vehicle.mode == 2);
  REQUIRE_FALSE(rig.vehicle.sticks.empty());
  CHECK(rig.vehicle.sticks.back().z < 500);
  CHECK(rig.state().stage.view().find("diving") == 0);
  rig.armed = false;
  rig.run(1s);
  const std::size_t sent = rig.vehicle.sticks.size();
  CHECK(rig.vehicle.sticks.back().z == 500);
  rig.run(3s);
  for (std::size_t i = sent; i < rig.vehicle.sticks.size(); ++i) CHECK(rig.vehicle.sticks[i].z == 500);
  CHECK(rig.state().stage.view() == "waiting to be armed");
}

TEST_CASE("The task ends when somebody else steers") {
  rig::Rig rig({"task=box"});
  REQUIRE(rig.connect());
  rig.vehicle.sonar = 4;
  rig.armed = true;
  rig.run(6s);
  REQUIRE(rig.state().stage.view().find("diving") == 0);
  rig.bridge.commands().twist.post({{0, 0, 0}, 0, rig.clock.now()});
  rig.run(2s);
  CHECK(rig.state().stage.view() == "others steer");
  CHECK(rig.vehicle.sticks.back().z == 500);
}
