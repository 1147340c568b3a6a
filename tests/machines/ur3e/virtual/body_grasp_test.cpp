// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tests/machines/ur3e/control/published_arm.hpp"

using namespace tandem::ur3e;

namespace {

const Joints guess = {1.19, -1.13, 1.05, -1.60, -1.52, 1.05};

// Along a straight line in joint space, gently at both ends; the gripper keeps its command.
void move(Body& body, Command& command, const Joints& from, const Joints& to, double duration) {
  const int steps = static_cast<int>(std::lround(duration / body.timestep()));
  for (int i = 1; i <= steps; ++i) {
    const double s = static_cast<double>(i) / steps;
    command.position = from + (to - from) * (s * s * (3 - 2 * s));
    command.velocity = (to - from) * (6 * s * (1 - s) / duration);
    REQUIRE(body.step(command));
  }
}

int steps_until(Body& body, const Command& command, int most) {
  int steps = 0;
  do {
    REQUIRE(body.step(command));
    ++steps;
  } while (body.measured().gripper.grip == Grip::moving && steps < most);
  return steps;
}

}  // namespace

TEST_CASE("the gripper closes on nothing and opens again as fast as it was told") {
  Body body;
  CHECK(body.measured().gripper.position == 3);
  Command command;
  command.drive = Drive::braked;
  command.gripper = {255, 255, 100, true};
  const int fast = steps_until(body, command, 2000);
  CHECK(body.measured().gripper.grip == Grip::arrived);
  CHECK(body.measured().gripper.position == 250);
  CHECK(fast * 0.002 == doctest::Approx(0.025 / 0.075).epsilon(0.25));
  command.gripper = {0, 0, 100, true};
  const int slow = steps_until(body, command, 3000);
  CHECK(body.measured().gripper.grip == Grip::arrived);
  CHECK(body.measured().gripper.position == 3);
  CHECK(slow * 0.002 == doctest::Approx(0.025 / 0.010).epsilon(0.1));
  command.gripper = {128, 255, 0, true};
  steps_until(body, command, 2000);
  CHECK(body.measured().gripper.grip == Grip::arrived);
  CHECK(std::abs(body.measured().gripper.position - 128) <= 2);
  // Stop on the way: it stays where it is.
  command.gripper = {255, 50, 0, true};
  for (int i = 0; i < 100; ++i) REQUIRE(body.step(command));
  command.gripper.go = false;
  for (int i = 0; i < 50; ++i) REQUIRE(body.step(command));
  const double stopped = body.measured().gripper.finger;
  for (int i = 0; i < 200; ++i) REQUIRE(body.step(command));
  CHECK(body.measured().gripper.finger == doctest::Approx(stopped).epsilon(1e-3));
  CHECK(stopped > 0.002);
}

TEST_CASE("a cube is gripped and found and lifted and carried without slipping") {
  for (const double timestep : {0.001, 0.002}) {
    for (const std::uint8_t force : {std::uint8_t{0}, std::uint8_t{255}}) {
      CAPTURE(timestep);
      CAPTURE(static_cast<int>(force));
      Body body({timestep});
      const Eigen::Vector3d at = cube_start(1);
      const Joints low = published::tool_down(at + Eigen::Vector3d(0, 0, hand::grip_reach), guess);
      const Joints high = published::tool_down(at + Eigen::Vector3d(0, 0, hand::grip_reach + 0.15), low);
      body.stand(low);
      Command command;
      command.drive = Drive::servo;
      command.position = low;
      command.gripper = {255, 128, force, true};
      steps_until(body, command, 3000);
      REQUIRE(body.measured().gripper.grip == Grip::stopped_closing);
      // 40 mm between the fingers: (250 - POS) * 50 / 247.
      CHECK((250 - body.measured().gripper.position) * 50.0 / 247 == doctest::Approx(40).epsilon(0.02));
      CHECK(std::abs(body.measured().gripper.force) == doctest::Approx(hand::force_from(force)).epsilon(0.05));
      move(body, command, low, high, 1.0);
      for (int i = 0; i < 1000; ++i) REQUIRE(body.step(command));
      CHECK(body.cube(1).translation().z() == doctest::Approx(at.z() + 0.15).epsilon(0.02));
      CHECK((body.cube(1).translation() - at).head<2>().norm() < 0.003);
      CHECK(body.measured().gripper.grip == Grip::stopped_closing);
      CHECK(body.measured().finding.kind == Finding::Kind::none);
      // Its weight is what the tool feels.
      CHECK(body.measured().tool_force.force.z() == doctest::Approx(-cube_mass * 9.81).epsilon(0.05));
      // Power off: the spindle is blocked and the cube stays.
      command.drive = Drive::off;
      for (int i = 0; i < 500; ++i) REQUIRE(body.step(command));
      CHECK(body.cube(1).translation().z() == doctest::Approx(at.z() + 0.15).epsilon(0.02));
      // Let go: it falls onto the table.
      command.drive = Drive::braked;
      command.gripper.position = 0;
      steps_until(body, command, 3000);
      for (int i = 0; i < 800; ++i) REQUIRE(body.step(command));
      CHECK(body.cube(1).translation().z() == doctest::Approx(cube_side / 2).epsilon(0.05));
    }
  }
}

TEST_CASE("cubes lie still and the scene comes back on reset") {
  Body body;
  Command command;
  for (int i = 0; i < 1000; ++i) REQUIRE(body.step(command));
  for (std::size_t i = 0; i < 3; ++i) CHECK((body.cube(i).translation() - cube_start(i)).norm() < 1e-3);
  tandem::Pose elsewhere = tandem::Pose::Identity();
  elsewhere.translation() = Eigen::Vector3d(0.3, 0.3, 0.5);
  body.place_cube(0, elsewhere);
  for (int i = 0; i < 500; ++i) REQUIRE(body.step(command));
  CHECK(body.cube(0).translation().z() < 0.03);
  CHECK((body.cube(0).translation() - elsewhere.translation()).head<2>().norm() < 0.02);
  body.reset();
  CHECK((body.cube(0).translation() - cube_start(0)).norm() < 1e-9);
  CHECK(body.time() == 0);
  CHECK((body.measured().position - home()).norm() == 0);
}
