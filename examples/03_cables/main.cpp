// SPDX-License-Identifier: Apache-2.0
// The cables of the default robot for one pose: their lengths, the pose back from them, and tensions that hold it.
#include <cstdio>

#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"

int main() {
  using namespace tandem;
  const cables::Robot& robot = cables::Robot::standard();
  const auto pose = cables::pose_from_numbers({0.05, -0.03, 0.35, 0, 0, 0.0998, 0.995});  // x, y, z, qx, qy, qz, qw
  if (!pose) return std::printf("%s\n", pose.error().text.c_str()), 1;
  const cables::PerCable lengths = cables::lengths(robot, *pose);
  const cables::Wrench weight = cables::weight(robot, *pose);
  const cables::Distribution held = cables::distribute(robot, cables::structure(robot, *pose), weight);
  for (int i = 0; i < robot.cables(); ++i) std::printf("cable%d: %.5f m, %.2f N\n", i, lengths[i], held.tensions[i]);
  std::printf("%s, %.2f N to the nearest bound\n", held.feasible ? "held" : "not held", held.margin);

  const auto back = cables::pose_from_lengths(robot, lengths);
  if (!back) return std::printf("%s\n", back.error().text.c_str()), 1;
  std::printf("pose found again within %.1e m after %d steps\n", back->residual, back->iterations);
}
