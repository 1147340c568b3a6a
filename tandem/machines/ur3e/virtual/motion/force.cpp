// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/motion/force.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/track.hpp"

namespace tandem::ur3e {
namespace {

// How fast the tool gives way: freely in the air, slowly in contact, where a stiff arm on a stiff table turns every
// tenth of a millimetre into ten newtons.
constexpr double linear_yield = 0.0005, linear_yield_touching = 0.0002;  // m/s per N
constexpr double angular_yield = 0.02, angular_yield_touching = 0.005;   // rad/s per N m
constexpr double touching = 1.0;                                         // N or N m felt
constexpr double felt_time = 0.03;                                       // s, of the filter: contacts rattle
constexpr double settling_time = 0.004;                                  // s, of the speed, without damping

}  // namespace

void ForceMode::start(const ForceTask& task) {
  if (!active_) {
    speed_.setZero();
    felt_.setZero();
  }
  active_ = true;
  task_ = task;
}

void ForceMode::end() {
  active_ = false;
  speed_.setZero();
}

Joints ForceMode::step(double dt, const Joints& q, const Pose& X_flange_tcp, const Wrench& outside, bool held) {
  if (!active_) return Joints::Zero();
  const Eigen::Matrix3d R = task_.X_base_task.linear();
  Twist6 now;
  now << R.transpose() * outside.force, R.transpose() * outside.torque;
  felt_ += (now - felt_) * (dt / felt_time);
  const double follow = dt / (settling_time * (1 + 4 * damping));
  for (int i = 0; i < 6; ++i) {
    double wanted = 0;
    if (task_.compliant[static_cast<std::size_t>(i)] && !held) {
      const double most = std::abs(task_.limits[i]);
      const bool touches = std::abs(felt_[i]) > touching;
      const double linear = touches ? linear_yield_touching : linear_yield;
      const double angular = touches ? angular_yield_touching : angular_yield;
      const double yield = i < 3 ? linear : angular;
      wanted = std::clamp(yield * gain_scaling * (task_.wrench[i] + felt_[i]), -most, most);
    }
    speed_[i] += std::min(1.0, follow) * (wanted - speed_[i]);
  }
  Twist6 twist;
  twist << R * speed_.head<3>(), R * speed_.tail<3>();
  return kinematics::trajectory::joint_speeds({&arm_model, X_flange_tcp}, q, twist);
}

}  // namespace tandem::ur3e
