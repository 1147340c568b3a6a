// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/body.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/machines/cable_robot/virtual/model.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double longest_step = 0.0005;    // s
constexpr double shortest_step = 0.00002;  // s; less would not keep up with real time
// Of a step, times the fastest vibration: 2 is where it grows without end. What is left is for cables that get shorter,
// and so stiffer, than at home.
constexpr double step_phase = 0.6;

// rad/s: no vibration of the platform at home is faster. The trace of stiffness over inertia has all six in it.
double fastest_vibration(const cables::Robot& robot) {
  const cables::Design& design = robot.design();
  const Eigen::Matrix3d inverse = design.inertia.inverse();
  const cables::PerCable lengths = cables::lengths(robot, robot.home());
  double sum = 0;
  for (int i = 0; i < robot.cables(); ++i) {
    const Eigen::Vector3d arm = robot.cable(i).platform - design.centre;
    const Eigen::Vector3d u = (robot.cable(i).frame - design.home - robot.cable(i).platform).normalized();
    const Eigen::Vector3d moment = arm.cross(u);
    sum += design.stiffness / lengths[i] * (1 / design.mass + moment.dot(inverse * moment));
  }
  return std::sqrt(sum);
}

int steps_for(const cables::Robot& robot, double cycle) {
  const double fastest = fastest_vibration(robot);
  const double step = std::min(longest_step, step_phase / fastest);
  if (step < shortest_step)
    throw std::invalid_argument(
        fmt::format("stiffness: expected a vibration of the platform below {:.0f} rad/s, got {:.0f} rad/s with {} N",
                    step_phase / shortest_step, fastest, robot.design().stiffness));
  return std::max(1, static_cast<int>(std::ceil(cycle / step)));
}

}  // namespace

Body::Body(const cables::Robot& robot, const BodyOptions& options)
    : robot_(robot),
      options_(options),
      steps_(steps_for(robot, options.cycle)),
      world_(mjcf(robot.design(), options.cycle / steps_)),
      platform_(world_.body("platform")),
      unwound_(resting(robot.home())),
      before_(cables::lengths(robot, robot.home())) {
  for (int i = 0; i < robot.cables(); ++i) cables_.push_back(world_.actuator(fmt::format("cable{}", i)));
  pull(cables::PerCable::Zero(robot.cables()));
  observe();
}

cables::PerCable Body::resting(const Pose& X_world_platform) const {
  const cables::Structure structure = cables::structure(robot_, X_world_platform);
  const cables::Distribution held =
      cables::distribute(robot_, structure, cables::weight(robot_, X_world_platform), cables::Aim::middle);
  cables::PerCable unwound = cables::lengths(robot_, X_world_platform);
  for (int i = 0; i < robot_.cables(); ++i)
    unwound[i] = cables::unstretched(unwound[i], held.tensions[i], robot_.design().stiffness);
  return unwound;
}

bool Body::advance(const cables::PerCable& unwound) {
  const cables::PerCable from = unwound_;
  const cables::PerCable speeds = (unwound - from) / options_.cycle;
  for (int step = 1; step <= steps_; ++step) {
    if (!world_.step()) return false;
    unwound_ = from + (unwound - from) * (static_cast<double>(step) / steps_);
    pull(speeds);
  }
  observe();
  return true;
}

// Positions are those of a step ago and the present velocity for one step, so the difference of two lengths is exactly
// the speed of now.
void Body::pull(const cables::PerCable& speeds) {
  for (int i = 0; i < robot_.cables(); ++i) {
    const sim::Actuator cable = cables_[static_cast<std::size_t>(i)];
    const double length = world_.length(cable);
    const double stretch = length - unwound_[i];
    const double rate = (length - before_[i]) / world_.timestep() - speeds[i];
    before_[i] = length;
    const bool taut = stretch > 0 && unwound_[i] > 0 && ((cut_ >> i) & 1) == 0;
    const double tension = taut ? robot_.design().stiffness / unwound_[i] * (stretch + options_.damping * rate) : 0.0;
    world_.control(cable, -std::max(0.0, tension));
  }
}

void Body::observe() {
  const Pose X_world_platform = world_.pose(platform_);
  Eigen::Quaterniond q(X_world_platform.linear());
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const sim::Twist twist = world_.twist(platform_);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    state_.position[k] = X_world_platform.translation()[i];
    state_.velocity[k] = twist.linear[i];
    state_.spin[k] = twist.angular[i];
  }
  state_.rotation = {q.x(), q.y(), q.z(), q.w()};
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    state_.lengths[i] = world_.length(cables_[i]);
    state_.tensions[i] = -world_.control(cables_[i]);
  }
  state_.on_floor = !world_.contacts().empty();
}

void Body::place(const Pose& X_world_platform) {
  world_.reset();
  world_.place(platform_, X_world_platform);
  world_.update();
  before_ = cables::lengths(robot_, X_world_platform);
  pull(cables::PerCable::Zero(robot_.cables()));
  observe();
}

}  // namespace tandem::cable_robot
