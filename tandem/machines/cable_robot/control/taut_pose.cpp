// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/taut_pose.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/base/linear.hpp"

namespace tandem::cable_robot {
namespace {

constexpr int most_iterations = 8;
// m, and rad times the scale: a step no longer worth taking, and one that the last iteration may still be worth.
constexpr double found = 1e-10, near_enough = 1e-5;
// The cables that are left may leave a motion open: the pose then stays where it was, by so much against a cable's say.
constexpr double inertia = 1e-3;

Pose moved_by(const Pose& pose, const cables::Twist& step) {
  const Eigen::Quaterniond turned = quaternion_from_rotation_vector(step.tail<3>()) * Eigen::Quaterniond(pose.linear());
  return pose_from(pose.translation() + step.head<3>(), turned.normalized().toRotationMatrix());
}

}  // namespace

cables::PerCable stretched_lengths(const cables::Robot& robot, const WinchFeedback& feedback) {
  cables::PerCable all(feedback.lengths.size());
  for (int i = 0; i < all.size(); ++i) {
    const double tension = std::max(feedback.tensions[i], 0.0);
    all[i] = cables::stretched(feedback.lengths[i], tension, robot.design().stiffness);
  }
  return all;
}

cables::PoseFit taut_pose(const cables::Robot& robot, const cables::PerCable& stretched, std::uint16_t slack,
                          std::uint16_t gone, const Pose& near) {
  const int count = robot.cables();
  cables::PoseFit fit;
  fit.pose = near;
  if (stretched.size() != count || !stretched.allFinite() || !near.matrix().allFinite()) return fit;
  const auto all_slack = static_cast<std::uint16_t>(slack | gone);
  cables::PerCable counts(count);
  for (int i = 0; i < count; ++i) counts[i] = ((all_slack >> i) & 1) != 0 ? 0 : 1;
  if (counts.sum() == 0) return fit;

  const double clinging = all_slack == 0 ? 0 : inertia;
  cables::Twist gone_from_near = cables::Twist::Zero();
  for (; fit.iterations < most_iterations && !fit.converged; ++fit.iterations) {
    const cables::PerCable misfit = counts.cwiseProduct(stretched - cables::lengths(robot, fit.pose));
    fit.residual = std::sqrt(misfit.squaredNorm() / counts.sum());
    cables::Structure structure = cables::structure(robot, fit.pose);
    structure.bottomRows<3>() /= robot.scale();
    for (int i = 0; i < count; ++i) structure.col(i) *= counts[i];
    // Lengths grow by -structure^T step; the moments' rows are in m like the others.
    Eigen::Matrix<double, 6, 6> normal = cables::squared(structure);
    normal.diagonal().array() += clinging;
    const cables::Twist downhill = -cables::wrench_of(structure, misfit) - clinging * gone_from_near;
    cables::Twist step = solve_positive(normal, downhill);
    if (!step.allFinite()) return fit;
    gone_from_near += step;
    fit.converged = step.norm() < (fit.iterations + 1 < most_iterations ? found : near_enough);
    step.tail<3>() /= robot.scale();
    fit.pose = moved_by(fit.pose, step);
  }
  return fit;
}

}  // namespace tandem::cable_robot
