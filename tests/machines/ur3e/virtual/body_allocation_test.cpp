// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tests/allocations.hpp"
#include "tests/machines/ur3e/control/published_arm.hpp"

using namespace tandem::ur3e;

TEST_CASE("a step allocates nothing even while a cube is gripped") {
  Body body;
  const Joints guess = {1.19, -1.13, 1.05, -1.60, -1.52, 1.05};
  const Joints low = published::tool_down(cube_start(1) + Eigen::Vector3d(0, 0, hand::grip_reach), guess);
  body.stand(low);
  Command command;
  command.drive = Drive::servo;
  command.position = low;
  command.gripper = {255, 255, 255, true};
  REQUIRE(body.step(command));
  const std::size_t before = allocations;
  bool stepped = true;
  for (int i = 0; i < 600; ++i) stepped = stepped && body.step(command);
  CHECK(allocations == before);
  CHECK(stepped);
  CHECK(body.measured().gripper.grip == Grip::stopped_closing);
}
