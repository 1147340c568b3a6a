// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/vision/output.hpp"

#include <cmath>
#include <limits>

#include "tandem/base/frames.hpp"

namespace tandem::orca {
namespace {

// The only frames in which ArduPilot takes ODOMETRY. It takes a pose in LOCAL_FRD for one in NED: forward is north.
constexpr std::uint8_t frame_local_frd = 20, frame_body_frd = 12;
constexpr std::uint8_t estimator_vision = 2;

std::array<float, 3> floats_of(const Eigen::Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

struct NedPose {
  std::array<float, 3> position;
  Eigen::Quaterniond q_ned_frd;
};
NedPose ned_pose_from(const Pose& X_map_base) {
  return {floats_of(ned_from_enu(X_map_base.translation())),
          ned_frd_from_enu_flu(Eigen::Quaterniond(X_map_base.linear()))};
}

}  // namespace

mavlink::VisionPositionDelta delta_message(const BodyDelta& delta, std::uint64_t microseconds) {
  mavlink::VisionPositionDelta message;
  message.time_usec = microseconds;
  message.time_delta_usec = static_cast<std::uint64_t>(delta.span.count() / 1000);
  message.angle_delta = floats_of(delta.rotation);
  message.position_delta = floats_of(delta.position);
  message.confidence = static_cast<float>(delta.confidence);
  return message;
}

mavlink::VisionPositionEstimate estimate_message(const Pose& X_map_base, std::uint64_t microseconds,
                                                 std::uint64_t resets) {
  const NedPose pose = ned_pose_from(X_map_base);
  const Eigen::Vector3d rpy = rpy_from_rotation(pose.q_ned_frd.toRotationMatrix());
  mavlink::VisionPositionEstimate message;
  message.usec = microseconds;
  message.x = pose.position[0];
  message.y = pose.position[1];
  message.z = pose.position[2];
  message.roll = static_cast<float>(rpy.x());
  message.pitch = static_cast<float>(rpy.y());
  message.yaw = static_cast<float>(rpy.z());
  message.covariance[0] = std::numeric_limits<float>::quiet_NaN();  // says "not known"
  message.reset_counter = static_cast<std::uint8_t>(resets);
  return message;
}

mavlink::Odometry odometry_message(const Pose& X_map_base, const BodyDelta& delta, std::uint64_t microseconds,
                                   std::uint64_t resets) {
  const NedPose pose = ned_pose_from(X_map_base);
  const Eigen::Quaterniond& q = pose.q_ned_frd;
  const double per_second = 1 / seconds(delta.span);
  const auto velocity = floats_of(delta.position * per_second);
  const auto rates = floats_of(delta.rotation * per_second);
  mavlink::Odometry message;
  message.time_usec = microseconds;
  message.frame_id = frame_local_frd;
  message.child_frame_id = frame_body_frd;
  message.x = pose.position[0];
  message.y = pose.position[1];
  message.z = pose.position[2];
  message.q = {static_cast<float>(q.w()), static_cast<float>(q.x()), static_cast<float>(q.y()),
               static_cast<float>(q.z())};
  message.vx = velocity[0];
  message.vy = velocity[1];
  message.vz = velocity[2];
  message.rollspeed = rates[0];
  message.pitchspeed = rates[1];
  message.yawspeed = rates[2];
  message.pose_covariance[0] = message.velocity_covariance[0] = std::numeric_limits<float>::quiet_NaN();
  message.reset_counter = static_cast<std::uint8_t>(resets);
  message.estimator_type = estimator_vision;
  message.quality = static_cast<std::int8_t>(std::lround(delta.confidence));
  return message;
}

}  // namespace tandem::orca
