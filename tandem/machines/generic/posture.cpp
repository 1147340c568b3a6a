// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/posture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::generic {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Pose joint_pose(const UrdfJoint& joint, double position) {
  Pose motion = Pose::Identity();
  if (joint.type == UrdfJoint::Type::prismatic) {
    motion.translation() = position * joint.axis;
  } else if (joint.moves()) {
    motion.linear() = Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
  }
  return joint.at * motion;
}

Posture::Posture(const Description& description, const Urdf& urdf)
    : urdf_(urdf),
      positions_(urdf.joints.size(), 0),
      velocities_(urdf.joints.size(), unknown),
      efforts_(urdf.joints.size(), unknown) {
  const Robot& robot = *description.robot;
  for (const Joint& joint : robot.joints) {
    const UrdfJoint* const found = urdf.find_joint(joint.name);
    if (found == nullptr)
      throw std::invalid_argument(fmt::format("joints: expected a joint of {}, got '{}'", robot.urdf, joint.name));
    Axis axis;
    axis.joint = static_cast<std::size_t>(found - urdf.joints.data());
    axis.position_name = joint.position;
    axis.velocity_name = joint.velocity;
    axis.effort_name = joint.effort;
    has_velocities_ = has_velocities_ || !joint.velocity.empty();
    has_efforts_ = has_efforts_ || !joint.effort.empty();
    axes_.push_back(std::move(axis));
  }
  for (std::size_t i = 0; i < urdf.joints.size(); ++i) {
    const UrdfJoint& joint = urdf.joints[i];
    if (!joint.moves()) continue;
    if (joint.mimic) mimics_.push_back(i);
    const std::size_t source = joint.mimic ? joint.mimic->joint : i;
    const auto bound = std::ranges::find_if(
        axes_, [&](const Axis& axis) { return axis.joint == source && !axis.position_name.empty(); });
    if (robot.fixed || bound != axes_.end()) published_.push_back(i);
  }
}

void Posture::bind(const std::vector<Signal>& signals) {
  for (Axis& axis : axes_) {
    axis.position = find_signal(signals, axis.position_name);
    axis.velocity = find_signal(signals, axis.velocity_name);
    if (axis.position) {
      axis.scale = signals[axis.position->signal].si_scale;
      axis.offset = signals[axis.position->signal].si_offset;
    }
    if (axis.velocity) axis.velocity_scale = signals[axis.velocity->signal].si_scale;
    axis.effort = find_signal(signals, axis.effort_name);
    if (axis.effort) axis.effort_scale = signals[axis.effort->signal].si_scale;
  }
}

void Posture::read(const Readings& readings) {
  known_ = true;
  for (const Axis& axis : axes_) {
    if (!axis.position_name.empty()) {
      const double value = axis.position ? value_of(*axis.position, readings) : unknown;
      positions_[axis.joint] = value * axis.scale + axis.offset;
      known_ = known_ && std::isfinite(value);
    }
    if (axis.velocity) velocities_[axis.joint] = value_of(*axis.velocity, readings) * axis.velocity_scale;
    if (axis.effort) efforts_[axis.joint] = value_of(*axis.effort, readings) * axis.effort_scale;
  }
  for (const std::size_t i : mimics_) {
    const UrdfJoint::Mimic& mimic = *urdf_.joints[i].mimic;
    positions_[i] = positions_[mimic.joint] * mimic.multiplier + mimic.offset;
    velocities_[i] = velocities_[mimic.joint] * mimic.multiplier;
  }
}

}  // namespace tandem::generic
