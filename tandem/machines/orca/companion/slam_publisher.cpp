// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/slam_publisher.hpp"

#include <bit>
#include <cstring>

#include "tandem/machines/orca/description.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

using ros2::sensor_msgs::PointCloud2;
using ros2::sensor_msgs::PointField;

constexpr std::uint32_t point_bytes = 3 * sizeof(float);

PointCloud2 empty_cloud() {
  PointCloud2 cloud;
  cloud.header.frame_id = frames::world;
  std::uint32_t offset = 0;
  for (const char* name : {"x", "y", "z"}) {
    cloud.point_fields.push_back({.name = name, .offset = offset, .datatype = PointField::FLOAT32, .count = 1});
    offset += sizeof(float);
  }
  cloud.height = 1;
  cloud.is_bigendian = std::endian::native == std::endian::big;
  cloud.point_step = point_bytes;
  cloud.is_dense = true;
  return cloud;
}

}  // namespace

void fill(PointCloud2& cloud, std::span<const Eigen::Vector3d> points) {
  cloud.width = static_cast<std::uint32_t>(points.size());
  cloud.row_step = cloud.width * point_bytes;
  cloud.data.resize(points.size() * point_bytes);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector3f point = points[i].cast<float>();
    std::memcpy(&cloud.data[i * point_bytes], point.data(), point_bytes);
  }
}

SlamPublisher::SlamPublisher(ros2::Node& node)
    : map_(empty_cloud()),
      status_publisher_(node.advertise<ros2::orb_slam3_msgs::SlamStatus>("slam_status")),
      pose_publisher_(node.advertise<ros2::geometry_msgs::PoseStamped>("camera_pose")),
      map_publisher_(node.advertise<PointCloud2>("map_points")) {
  status_.header.frame_id = frames::world;
  status_.tracked_points = empty_cloud();
  pose_.header.frame_id = frames::world;
}

void SlamPublisher::publish(const vision::Tracking& tracking, UtcTime stamp, std::uint32_t first_map) {
  status_.header.stamp = ros2::message_from(stamp);
  status_.tracking_state = static_cast<std::int8_t>(tracking.state);
  status_.map_changed = tracking.map_changed;
  status_.map_id = first_map + tracking.map_id;
  status_.pose = ros2::message_from(tracking.X_world_camera);
  status_.tracked_points.header.stamp = status_.header.stamp;
  fill(status_.tracked_points, tracking.points);
  (void)status_publisher_.publish(status_);
  if (tracking.state != vision::TrackingState::ok) return;
  pose_.header.stamp = status_.header.stamp;
  pose_.pose = status_.pose;
  (void)pose_publisher_.publish(pose_);
}

void SlamPublisher::publish_map(std::span<const Eigen::Vector3d> points, UtcTime stamp) {
  map_.header.stamp = ros2::message_from(stamp);
  fill(map_, points);
  (void)map_publisher_.publish(map_);
}

}  // namespace tandem::orca
