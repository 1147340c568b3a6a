// SPDX-License-Identifier: Apache-2.0
// The demonstration: a closed curve in all six degrees of freedom, well inside the workspace.
#pragma once

#include "tandem/machines/cable_robot/control/path.hpp"

namespace tandem::cable_robot {

class Task {
 public:
  // A curve about the robot's home that takes `period` seconds, as large as the border, with so much tension to spare
  // (N), and the limits allow. Fault::unsupported when there is no such curve.
  static Result<Task> about_home(const cables::Robot& robot, const PathOptions& options, double period = 20,
                                 double spare = 3);

  // Where the curve begins and ends: the robot's home.
  Pose begin() const;
  void restart();
  // `dt` seconds later; begins and ends to move gently, as `run` says.
  const SetPoint& step(double dt, bool run = true);

  const SetPoint& now() const { return now_; }
  bool resting() const { return rate_ <= 0; }
  double rounds() const { return time_ / period_; }
  double size() const { return size_; }  // 1: as large as it was wanted

 private:
  Task(const cables::Robot& robot, double period);
  SetPoint at(double time, double rate, double rate_change) const;
  Pose pose_at(double time) const;
  bool fits(const Border& border, const PathLimits& limits) const;

  Eigen::Vector3d home_;
  Eigen::Vector3d reach_;  // m, each way
  Eigen::Vector3d turn_;   // rad, each way
  double period_;          // s
  double size_ = 1, time_ = 0, rate_ = 0;
  SetPoint now_;
};

}  // namespace tandem::cable_robot
