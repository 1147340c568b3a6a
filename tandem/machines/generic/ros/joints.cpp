// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ros/joints.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/ros2/types/conversions.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_name = 256;

ros2::geometry_msgs::TransformStamped frames_of(const Urdf& urdf, const UrdfJoint& joint, const std::string& prefix) {
  ros2::geometry_msgs::TransformStamped transform;
  transform.header.frame_id = prefix + urdf.links[joint.parent].name;
  transform.child_frame_id = prefix + urdf.links[joint.child].name;
  return transform;
}

}  // namespace

JointTopics::JointTopics(ros2::FullNode& node, const Posture& posture, const std::string& prefix)
    : joints_publisher_(node.advertise<ros2::sensor_msgs::JointState>("~/joint_states")),
      description_publisher_(node.advertise<ros2::std_msgs::String>("robot_description", ros2::Qos::latched())),
      tf_(node),
      static_tf_(node) {
  const Urdf& urdf = posture.urdf();
  ros2::std_msgs::String text;
  text.data = urdf.text;
  description_publisher_.publish(text);
  std::vector<ros2::geometry_msgs::TransformStamped> fixed;
  for (std::size_t i = 0; i < urdf.joints.size(); ++i) {
    const UrdfJoint& joint = urdf.joints[i];
    names_.push_back(joint.name);
    // Where a joint without a signal is, only the file can say: `fixed: true`.
    if (joint.moves() && std::ranges::find(posture.published(), i) == posture.published().end()) continue;
    auto transform = frames_of(urdf, joint, prefix);
    if (joint.moves()) {
      moving_.push_back(i);
      transforms_.push_back(std::move(transform));
      continue;
    }
    transform.header.stamp = ros2::message_from(node.clock().utc());
    transform.transform = ros2::transform_from(joint.at);
    fixed.push_back(std::move(transform));
  }
  if (!fixed.empty()) static_tf_.send(fixed);
  const std::size_t count = posture.published().size();
  joints_.name.resize(count);
  for (std::string& name : joints_.name) name.reserve(longest_name);
  joints_.position.reserve(count);
  joints_.velocity.reserve(count);
  joints_.effort.reserve(count);
}

void JointTopics::publish(const Posture& posture, UtcTime stamp) {
  const auto positions = posture.positions();
  joints_.header.stamp = ros2::message_from(stamp);
  joints_.position.clear();
  joints_.velocity.clear();
  joints_.effort.clear();
  std::size_t count = 0;
  const bool all = std::ranges::all_of(posture.published(), [&](std::size_t i) { return std::isfinite(positions[i]); });
  joints_.name.resize(posture.published().size());
  for (const std::size_t i : posture.published()) {
    if (!std::isfinite(positions[i])) continue;
    joints_.name[count++] = names_[i];
    joints_.position.push_back(positions[i]);
    if (posture.has_velocities()) joints_.velocity.push_back(posture.velocities()[i]);
    if (posture.has_efforts()) joints_.effort.push_back(posture.efforts()[i]);
  }
  if (!all) joints_.name.resize(count);
  if (count > 0) joints_publisher_.publish(joints_);
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const double position = positions[moving_[k]];
    if (!std::isfinite(position)) continue;
    transforms_[k].header.stamp = joints_.header.stamp;
    transforms_[k].transform = ros2::transform_from(joint_pose(posture.urdf().joints[moving_[k]], position));
  }
  if (std::ranges::all_of(moving_, [&](std::size_t i) { return std::isfinite(positions[i]); })) {
    if (!transforms_.empty()) tf_.send(transforms_);
    return;
  }
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    if (std::isfinite(positions[moving_[k]])) tf_.send(transforms_[k]);
  }
}

}  // namespace tandem::generic
