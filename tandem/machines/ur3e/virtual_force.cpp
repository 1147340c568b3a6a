#include "tandem/machines/ur3e/virtual_force.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory_track.hpp"

namespace tandem::ur3e {
namespace {

constexpr double linear_yield = 0.002;  // m/s per N
constexpr double angular_yield = 0.05;  // rad/s per N m
constexpr double settling_time = 0.02;  // s, of the speed, without damping

}  // namespace

void ForceMode::start(const ForceTask& task) {
  if (!active_) speed_.setZero();
  active_ = true;
  task_ = task;
}

void ForceMode::end() {
  active_ = false;
  speed_.setZero();
}

Joints ForceMode::step(double dt, const Joints& q, const Pose& X_flange_tcp, const Wrench& outside) {
  if (!active_) return Joints::Zero();
  const Eigen::Matrix3d R = task_.X_base_task.linear();
  Twist6 felt;
  felt << R.transpose() * outside.force, R.transpose() * outside.torque;
  const double follow = dt / (settling_time * (1 + 10 * damping));
  for (int i = 0; i < 6; ++i) {
    double wanted = 0;
    if (task_.compliant[static_cast<std::size_t>(i)]) {
      const double most = std::abs(task_.limits[i]);
      const double yield = (i < 3 ? linear_yield : angular_yield) * gain_scaling;
      wanted = std::clamp(yield * (task_.wrench[i] + felt[i]), -most, most);
    }
    speed_[i] += std::min(1.0, follow) * (wanted - speed_[i]);
  }
  Twist6 twist;
  twist << R * speed_.head<3>(), R * speed_.tail<3>();
  return kinematics::trajectory::joint_speeds({&arm_model, X_flange_tcp}, q, twist);
}

}  // namespace tandem::ur3e
