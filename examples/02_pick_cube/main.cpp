// SPDX-License-Identifier: Apache-2.0
// Picks a cube from the table: pick_cube [virtual | 192.168.1.10 | ros2:/joint_trajectory_controller]
#include <cstdio>
#include <numbers>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"

namespace {

using namespace tandem;

// Whether the cube is held at the end.
Result<bool> pick(ur3e::Robot& robot) {
  // The flange above the cube and around it, tool straight down: mm and a rotation vector in rad.
  const auto above = ur3e::TCP6D::from_millimetres_radians({-100, -300, 285, std::numbers::pi, 0, 0});
  const auto cube = ur3e::TCP6D::from_millimetres_radians({-100, -300, 165, std::numbers::pi, 0, 0});

  if (auto active = robot.gripper()->activate(); !active) return active.error();
  if (auto there = robot.movel(above); !there || !*there) return there;
  if (auto there = robot.movel(cube); !there || !*there) return there;
  auto held = robot.gripper()->close_and_check_size(40, 2, 2);
  if (auto there = robot.movel(above); !there || !*there) return there;
  return held;
}

}  // namespace

int main(int count, char** arguments) {
  SystemClock clock;
  ur3e::RobotOptions options;
  if (count > 1) options.device = arguments[1];
  options.opened_gripper_mm = 50;
  options.make_virtual = [&clock] {
    ur3e::VirtualDeviceSetup setup;
    setup.clock = &clock;
    return ur3e::make_virtual_device(setup);
  };
  auto robot = ur3e::Robot::open(options);
  if (!robot) return std::printf("%s\n", robot.error().text.c_str()), 1;

  const auto held = pick(**robot);
  if (!held) return std::printf("%s\n", held.error().text.c_str()), 1;
  const auto pose = (*robot)->actual_tcp_pose();
  if (!pose) return std::printf("%s\n", pose.error().text.c_str()), 1;
  std::printf("tool at %.3f %.3f %.3f m, cube %s\n", pose->x, pose->y, pose->z, *held ? "held" : "missed");
  return *held ? 0 : 1;
}
