// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/kinematics/cable/frame.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double ramp_time = 2;      // s until the curve is gone along at its full speed
constexpr double difference = 1e-4;  // s, for the derivatives of the rotation
constexpr int samples = 240;
constexpr double share_of_frame = 0.2;  // the curve reaches so far each way
constexpr double shrink = 0.92;
constexpr int shrinkings = 30;

Eigen::Vector3d spin_between(const Pose& from, const Pose& to, double time) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(to.linear()) * Eigen::Quaterniond(from.linear()).conjugate();
  return rotation_vector_from_quaternion(turn) / time;
}

}  // namespace

Task::Task(const cables::Robot& robot, double period) : home_(robot.design().home), period_(period) {
  const auto [low, high] = cables::frame_box(robot.design());
  const double wide = share_of_frame * (high - low).maxCoeff();
  reach_ = share_of_frame * (high - low);
  // A flat frame, as of a robot that hangs: as high as it is wide.
  for (int axis = 0; axis < 3; ++axis) {
    if (!(reach_[axis] > 0)) reach_[axis] = wide;
  }
  turn_ = Eigen::Vector3d(0.2, 0.2, 0.3);
  restart();
}

Result<Task> Task::about_home(const cables::Robot& robot, const PathOptions& options, double period, double spare) {
  if (!(period > 0) || !std::isfinite(period))
    return Error{Fault::invalid, fmt::format("period of the task: expected more than 0 s, got {:g}", period)};
  BorderOptions with_spare = options.border;
  with_spare.reserve += spare;
  const Border border(robot, with_spare);
  if (const Look seen = border.look(robot.home()); !seen.inside)
    return Error{Fault::unsupported, fmt::format("no task around home: {}", border.words(seen).view())};
  Task task(robot, period);
  for (int i = 0; i < shrinkings; ++i) {
    if (task.fits(border, options.limits)) return task;
    task.size_ *= shrink;
  }
  return Error{Fault::unsupported,
               fmt::format("no task around home fits the workspace and the limits in {:g} s", period)};
}

bool Task::fits(const Border& border, const PathLimits& limits) const {
  for (int i = 0; i < samples; ++i) {
    const SetPoint point = at(period_ * i / samples, 1, 0);
    // Room for catching up, which takes some of the limits.
    if (point.velocity.head<3>().norm() > 0.8 * limits.speed ||
        point.velocity.tail<3>().norm() > 0.8 * limits.angular_speed ||
        point.acceleration.head<3>().norm() > 0.8 * limits.acceleration ||
        point.acceleration.tail<3>().norm() > 0.8 * limits.angular_acceleration)
      return false;
    if (!border.look(point.pose).inside) return false;
  }
  return true;
}

Pose Task::begin() const { return pose_from(home_, Eigen::Matrix3d::Identity()); }

void Task::restart() {
  time_ = rate_ = 0;
  now_ = at(0, 0, 0);
}

const SetPoint& Task::step(double dt, bool run) {
  if (!(dt > 0) || !std::isfinite(dt)) return now_;
  const double before = rate_;
  rate_ = std::clamp(rate_ + (run ? dt : -dt) / ramp_time, 0.0, 1.0);
  time_ += 0.5 * (before + rate_) * dt;
  now_ = at(time_, rate_, (rate_ - before) / dt);
  return now_;
}

Pose Task::pose_at(double time) const {
  const double phase = 2 * std::numbers::pi * time / period_;
  const Eigen::Vector3d place(std::sin(phase), std::sin(2 * phase), std::sin(3 * phase));
  const Eigen::Vector3d turn(std::sin(2 * phase), -std::sin(3 * phase), std::sin(phase));
  const Eigen::Vector3d angles = size_ * turn_.cwiseProduct(turn);
  return pose_from(home_ + size_ * reach_.cwiseProduct(place), rotation_from_rpy(angles.x(), angles.y(), angles.z()));
}

SetPoint Task::at(double time, double rate, double rate_change) const {
  const Pose before = pose_at(time - difference), here = pose_at(time), after = pose_at(time + difference);
  cables::Twist slope, bend;  // with the curve's own time
  slope << (after.translation() - before.translation()) / (2 * difference), spin_between(before, after, 2 * difference);
  bend << (after.translation() - 2 * here.translation() + before.translation()) / (difference * difference),
      (spin_between(here, after, difference) - spin_between(before, here, difference)) / difference;
  return {here, slope * rate, bend * (rate * rate) + slope * rate_change};
}

}  // namespace tandem::cable_robot
