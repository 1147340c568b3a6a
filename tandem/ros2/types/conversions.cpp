// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/conversions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::ros2 {
namespace {

template <typename Stamp>
Stamp stamp_from(Duration since) {
  using Seconds = std::chrono::seconds;
  constexpr Duration lowest = Seconds(std::numeric_limits<std::int32_t>::min());
  constexpr Duration highest = Seconds(std::numeric_limits<std::int32_t>::max()) + 999'999'999ns;
  const Duration within = std::clamp<Duration>(since, lowest, highest);
  const Seconds whole = std::chrono::floor<Seconds>(within);
  Stamp stamp;
  stamp.sec = static_cast<std::int32_t>(whole.count());
  stamp.nanosec = static_cast<std::uint32_t>((within - whole).count());
  return stamp;
}

Pose pose_of(const Eigen::Vector3d& position, const geometry_msgs::Quaternion& q) {
  Pose X = Pose::Identity();
  X.translation() = position;
  const Eigen::Quaterniond rotation(q.w, q.x, q.y, q.z);
  const double norm = rotation.norm();
  if (std::isfinite(norm) && norm > 1e-9) X.linear() = rotation.normalized().toRotationMatrix();
  return X;
}

}  // namespace

builtin_interfaces::Time message_from(UtcTime time) {
  return stamp_from<builtin_interfaces::Time>(time.time_since_epoch());
}

builtin_interfaces::Duration message_from(Duration duration) {
  return stamp_from<builtin_interfaces::Duration>(duration);
}

UtcTime utc_from(const builtin_interfaces::Time& time) {
  return UtcTime(std::chrono::seconds(time.sec) + std::chrono::nanoseconds(time.nanosec));
}

std_msgs::Header header(UtcTime time, std::string_view frame_id) { return {message_from(time), std::string(frame_id)}; }

geometry_msgs::Point point_from(const Eigen::Vector3d& vector) { return {vector.x(), vector.y(), vector.z()}; }
geometry_msgs::Vector3 vector3_from(const Eigen::Vector3d& vector) { return {vector.x(), vector.y(), vector.z()}; }
geometry_msgs::Quaternion message_from(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

geometry_msgs::Pose message_from(const Pose& X) {
  return {point_from(X.translation()), message_from(Eigen::Quaterniond(X.linear()))};
}

geometry_msgs::Transform transform_from(const Pose& X) {
  return {vector3_from(X.translation()), message_from(Eigen::Quaterniond(X.linear()))};
}

geometry_msgs::TransformStamped transform_stamped(UtcTime time, std::string_view parent, std::string_view child,
                                                  const Pose& X_parent_child) {
  return {header(time, parent), std::string(child), transform_from(X_parent_child)};
}

Pose pose_from(const geometry_msgs::Pose& message) {
  return pose_of({message.position.x, message.position.y, message.position.z}, message.orientation);
}

Pose pose_from(const geometry_msgs::Transform& message) {
  return pose_of({message.translation.x, message.translation.y, message.translation.z}, message.rotation);
}

}  // namespace tandem::ros2
