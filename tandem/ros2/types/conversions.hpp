// SPDX-License-Identifier: Apache-2.0
// From our own types to messages and back.
#pragma once

#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"

namespace tandem::ros2 {

// Whole seconds are rounded down, so nanosec is never negative. Beyond 2038 a ROS time stays at its last second.
builtin_interfaces::Time message_from(UtcTime time);
builtin_interfaces::Duration message_from(Duration duration);
UtcTime utc_from(const builtin_interfaces::Time& time);

std_msgs::Header header(UtcTime time, std::string_view frame_id);

geometry_msgs::Point point_from(const Eigen::Vector3d& vector);
geometry_msgs::Vector3 vector3_from(const Eigen::Vector3d& vector);
geometry_msgs::Quaternion message_from(const Eigen::Quaterniond& q);
geometry_msgs::Pose message_from(const Pose& X);
geometry_msgs::Transform transform_from(const Pose& X);
geometry_msgs::TransformStamped transform_stamped(UtcTime time, std::string_view parent, std::string_view child,
                                                  const Pose& X_parent_child);

// The quaternion is normalised; one that has no direction (all zeros, not finite) is taken as no rotation.
Pose pose_from(const geometry_msgs::Pose& message);
Pose pose_from(const geometry_msgs::Transform& message);

}  // namespace tandem::ros2
