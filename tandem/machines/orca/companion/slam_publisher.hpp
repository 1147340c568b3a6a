// SPDX-License-Identifier: Apache-2.0
// What a visual odometry reports, on the topics of orb_slam3_ros: slam_status, camera_pose, map_points.
#pragma once

#include <span>
#include <vector>

#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/vision/tracking.hpp"

namespace tandem::orca {

// x, y, z as floats, 12 bytes a point.
void fill(ros2::sensor_msgs::PointCloud2& cloud, std::span<const Eigen::Vector3d> points);

class SlamPublisher {
 public:
  explicit SlamPublisher(ros2::Node& node);

  // The status of every image; the pose only while it is known. `first_map` is the id of the odometry's map 0: one that
  // was restarted goes on counting where the one before ended.
  void publish(const vision::Tracking& tracking, UtcTime stamp, std::uint32_t first_map = 0);
  // The whole map, where a client listens.
  bool map_wanted() const { return map_publisher_.matched() != 0; }
  void publish_map(std::span<const Eigen::Vector3d> points, UtcTime stamp);

 private:
  ros2::orb_slam3_msgs::SlamStatus status_;
  ros2::geometry_msgs::PoseStamped pose_;
  ros2::sensor_msgs::PointCloud2 map_;
  ros2::Publisher<ros2::orb_slam3_msgs::SlamStatus> status_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_;
  ros2::Publisher<ros2::sensor_msgs::PointCloud2> map_publisher_;
};

}  // namespace tandem::orca
