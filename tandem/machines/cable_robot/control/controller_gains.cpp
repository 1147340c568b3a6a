// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/controller_gains.hpp"

#include <algorithm>

namespace tandem::cable_robot {

std::array<kinematics::Pid, 6> pose_pids(const cables::Robot& robot, const ControlOptions& options) {
  std::array<kinematics::Pid, 6> all;
  // How the cables hold the platform at home: what a displacement of 1 pulls back with, over what is to be moved.
  const cables::Structure structure = cables::structure(robot, robot.home());
  const cables::PerCable spans = cables::lengths(robot, robot.home());
  for (int i = 0; i < 6; ++i) {
    const bool linear = i < 3;
    if (options.mode == WinchMode::tension) {
      const PoseGains& gains = options.tension_gains;
      all[static_cast<std::size_t>(i)] = kinematics::Pid(linear ? gains.linear : gains.angular);
      continue;
    }
    const double stiffness =
        (structure.row(i).transpose().cwiseAbs2().array() / spans.array()).sum() * robot.design().stiffness;
    const double moved = linear ? robot.design().mass : robot.design().inertia(i - 3, i - 3);
    const double pull = stiffness / moved;  // 1/s^2
    kinematics::PidGains gains;
    gains.proportional = options.give_way_share * pull;
    gains.integral = options.give_way_rate * pull;
    gains.output_limit = linear ? options.most_correction : options.most_angular_correction;
    gains.integral_limit = gains.integral > 0 ? gains.output_limit / gains.integral : 0;
    all[static_cast<std::size_t>(i)] = kinematics::Pid(gains);
  }
  return all;
}

}  // namespace tandem::cable_robot
