// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/pulley.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace tandem::cables {
namespace {

PulleyRun straight_run(const Eigen::Vector3d& frame, const Eigen::Vector3d& held) {
  PulleyRun run;
  const Eigen::Vector3d span = frame - held;
  run.length = run.straight = span.norm();
  run.leaves = frame;
  if (run.length > 0) run.along = span / run.length;
  return run;
}

}  // namespace

Result<void> check_pulleys(const Robot& robot, std::span<const Pulley> pulleys) {
  if (static_cast<int>(pulleys.size()) != robot.cables())
    return Error{Fault::invalid,
                 fmt::format("pulleys: expected {}, one for each cable, got {}", robot.cables(), pulleys.size())};
  for (std::size_t i = 0; i < pulleys.size(); ++i) {
    const Pulley& pulley = pulleys[i];
    if (!(pulley.radius >= 0 && pulley.radius <= 100))
      return Error{Fault::invalid,
                   fmt::format("pulley of cable{}: expected a radius from 0 to 100 m, got {}", i, pulley.radius)};
    if (!(std::abs(pulley.axis.norm() - 1) <= 1e-6))
      return Error{Fault::invalid, fmt::format("pulley of cable{}: expected an axis of length 1, got ({}, {}, {})", i,
                                               pulley.axis.x(), pulley.axis.y(), pulley.axis.z())};
  }
  return {};
}

PulleyRun run_over(const Pulley& pulley, const Eigen::Vector3d& frame, const Eigen::Vector3d& held) {
  const double r = pulley.radius;
  const Eigen::Vector3d span = held - frame;
  const double along_axis = span.dot(pulley.axis);
  const Eigen::Vector3d aside = span - along_axis * pulley.axis;
  const double beside = aside.norm();
  PulleyRun run = straight_run(frame, held);
  if (r == 0) {
    run.possible = run.length > 0;
    run.wrap = std::atan2(beside, along_axis);
    return run;
  }
  // In the pulley's plane, seen from its centre: x away from the axis, y along it. The cable arrives at (-r, 0).
  const double x = beside - r, y = along_axis;
  const double squared = x * x + y * y - r * r;
  if (!(squared > 0) || !(beside > 0)) return run;
  const Eigen::Vector3d side = aside / beside;
  run.possible = true;
  run.straight = std::sqrt(squared);
  run.wrap = std::atan2(x, y) + std::atan2(r, run.straight);
  if (run.wrap < 0) run.wrap += 2 * std::numbers::pi;
  run.length = r * run.wrap + run.straight;
  run.leaves = frame + r * (1 - std::cos(run.wrap)) * side + r * std::sin(run.wrap) * pulley.axis;
  run.along = -std::sin(run.wrap) * side - std::cos(run.wrap) * pulley.axis;
  return run;
}

PerCable lengths(const Robot& robot, std::span<const Pulley> pulleys, const Pose& pose) {
  PerCable all(robot.cables());
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    all[i] = run_over(pulleys[static_cast<std::size_t>(i)], cable.frame, pose * cable.platform).length;
  }
  return all;
}

Structure structure(const Robot& robot, std::span<const Pulley> pulleys, const Pose& pose) {
  Structure all(6, robot.cables());
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    const Eigen::Vector3d arm = pose.linear() * cable.platform;
    const Eigen::Vector3d along =
        run_over(pulleys[static_cast<std::size_t>(i)], cable.frame, pose.translation() + arm).along;
    all.col(i) << along, arm.cross(along);
  }
  return all;
}

}  // namespace tandem::cables
