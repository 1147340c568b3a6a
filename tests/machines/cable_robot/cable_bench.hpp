// SPDX-License-Identifier: Apache-2.0
// The controller and the plant in one loop, and the extremes of what happened.
#pragma once

#include <algorithm>

#include "tandem/machines/cable_robot/control/controller.hpp"
#include "tests/machines/cable_robot/control/cable_plant.hpp"

namespace tandem::cable_robot::test {

inline constexpr double bench_cycle = 0.002;  // s

inline Pose level_pose(double x, double y, double z) { return pose_from({x, y, z}, Eigen::Matrix3d::Identity()); }

// Tensions that hold the platform at home, none above `most`.
inline cables::PerCable home_tensions(const cables::Robot& robot, double most) {
  const Pose home = robot.home();
  return cables::distribute(robot, cables::structure(robot, home), cables::weight(robot, home), {2, most},
                            cables::Aim::middle)
      .tensions;
}

struct Bench {
  explicit Bench(const ControlOptions& with = {}, double most = 60,
                 const cables::Design& design = cables::default_design())
      : robot(*cables::Robot::from(design)),
        options(with),
        plant(robot, robot.home(), home_tensions(robot, most)),
        controller(robot, with),
        encoder_error(cables::PerCable::Zero(robot.cables())),
        tension_error(cables::PerCable::Zero(robot.cables())) {}

  WinchFeedback feedback() const {
    WinchFeedback all = plant.feedback();
    all.lengths += encoder_error;
    all.tensions += tension_error;
    return all;
  }

  const ControlState& state() const { return controller.last().state; }

  const Step& cycle() {
    const Step& step = controller.step(feedback(), bench_cycle, true);
    WinchCommand command = step.command;
    command.lengths -= encoder_error;
    plant.run(command, bench_cycle);
    const Pose at = plant.pose();
    const Pose& wanted = step.state.set_point.pose;
    worst_error = std::max(worst_error, (at.translation() - wanted.translation()).norm());
    worst_angle =
        std::max(worst_angle, angle_between(Eigen::Quaterniond(at.linear()), Eigen::Quaterniond(wanted.linear())));
    for (int i = 0; i < robot.cables(); ++i) {
      least_tension = std::min(least_tension, plant.tension(i));
      most_tension = std::max(most_tension, plant.tension(i));
    }
    return step;
  }

  // Started, and tensions as wanted.
  bool settle() {
    if (!controller.start(feedback())) return false;
    for (int i = 0; i < 1000 && state().activity == Activity::tensioning; ++i) cycle();
    for (int i = 0; i < 50; ++i) cycle();
    return state().activity == Activity::resting;
  }

  void forget_extremes() {
    worst_error = worst_angle = most_tension = 0;
    least_tension = 1e9;
  }

  cables::Robot robot;
  ControlOptions options;
  CablePlant plant;
  Controller controller;
  cables::PerCable encoder_error;  // m, told too much
  cables::PerCable tension_error;  // N, told too much
  double worst_error = 0, worst_angle = 0, least_tension = 1e9, most_tension = 0;
};

}  // namespace tandem::cable_robot::test
