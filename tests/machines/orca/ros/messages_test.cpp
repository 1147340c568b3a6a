// SPDX-License-Identifier: Apache-2.0
// From ROS messages to what the bridge takes; anything may come in.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "tandem/machines/orca/device/mode_names.hpp"
#include "tandem/machines/orca/ros/messages.hpp"

using namespace tandem;
using namespace tandem::orca;
using ros2::sensor_msgs::PointCloud2;
using ros2::sensor_msgs::PointField;

namespace {

PointCloud2 cloud_of(const std::vector<Eigen::Vector3f>& points, std::uint32_t step = 12) {
  PointCloud2 cloud;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    PointField field;
    field.name = std::string(1, static_cast<char>('x' + axis));
    field.offset = 4 * axis;
    field.datatype = PointField::FLOAT32;
    field.count = 1;
    cloud.point_fields.push_back(field);
  }
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(points.size());
  cloud.point_step = step;
  cloud.row_step = step * cloud.width;
  cloud.data.resize(cloud.row_step);
  for (std::size_t i = 0; i < points.size(); ++i) std::memcpy(cloud.data.data() + i * step, points[i].data(), 12);
  return cloud;
}

}  // namespace

TEST_CASE("A frame of the SLAM is read with its visual range") {
  ros2::orb_slam3_msgs::SlamStatus message;
  message.header.stamp.sec = 100;
  message.header.stamp.nanosec = 5;
  message.tracking_state = 2;
  message.map_id = 7;
  message.pose.position.x = 1;
  message.pose.orientation.w = 1;
  message.tracked_points = cloud_of(std::vector<Eigen::Vector3f>(20, Eigen::Vector3f(1, 0, 4)), 16);
  SightingReader reader;
  const auto sighting = reader.read(message, Instant{5s}, UtcTime{});
  REQUIRE(sighting.ok());
  CHECK(sighting->stamp == 100s + 5ns);
  CHECK(sighting->map == 7);
  CHECK(sighting->visual.points == 20);
  CHECK(sighting->visual.range == doctest::Approx(4));
  message.tracking_state = 9;
  CHECK_FALSE(reader.read(message, Instant{5s}, UtcTime{}).ok());
}

TEST_CASE("Clouds whose numbers lie are refused") {
  std::vector<Eigen::Vector3f> points;
  const PointCloud2 good = cloud_of(std::vector<Eigen::Vector3f>(5, Eigen::Vector3f(1, 2, 3)));
  REQUIRE(read_points(good, points).ok());
  CHECK(points.size() == 5);
  CHECK(points[4] == Eigen::Vector3f(1, 2, 3));
  const auto refuse = [&](auto change) {
    PointCloud2 bad = good;
    change(bad);
    CHECK_FALSE(read_points(bad, points).ok());
    CHECK_FALSE(scale_points(bad, 2));
  };
  refuse([](PointCloud2& c) { c.width = 6; });
  refuse([](PointCloud2& c) { c.width = 0xFFFFFFFF; });
  refuse([](PointCloud2& c) { c.height = 0xFFFFFFFF; });
  refuse([](PointCloud2& c) { c.point_step = 0xFFFFFFFF; });
  refuse([](PointCloud2& c) { c.point_step = 8; });
  refuse([](PointCloud2& c) { c.point_fields[2].offset = 0xFFFFFFFE; });
  refuse([](PointCloud2& c) { c.point_fields[1].datatype = PointField::FLOAT64; });
  refuse([](PointCloud2& c) { c.point_fields.pop_back(); });
  refuse([](PointCloud2& c) { c.is_bigendian = true; });
  refuse([](PointCloud2& c) { c.data.pop_back(); });
}

TEST_CASE("A scaled cloud keeps everything but its lengths") {
  PointCloud2 cloud = cloud_of({{1, 2, 3}, {-1, 0, 0.5F}}, 20);
  cloud.data[15] = 42;
  REQUIRE(scale_points(cloud, 2));
  std::vector<Eigen::Vector3f> points;
  REQUIRE(read_points(cloud, points).ok());
  CHECK(points[0] == Eigen::Vector3f(2, 4, 6));
  CHECK(points[1] == Eigen::Vector3f(-2, 0, 1));
  CHECK(cloud.data[15] == 42);
}

TEST_CASE("Orders that are no numbers or too much are refused") {
  ros2::geometry_msgs::Twist twist;
  twist.linear.x = 1;
  CHECK(twist_order_from(twist, Instant{}).ok());
  for (const double bad : {std::nan(""), HUGE_VAL, 11.0}) {
    twist.linear.x = bad;
    CHECK_FALSE(twist_order_from(twist, Instant{}).ok());
  }
  ros2::geometry_msgs::PoseStamped goal;
  goal.header.frame_id = "map";
  goal.pose.orientation.w = std::sqrt(0.5);
  goal.pose.orientation.z = std::sqrt(0.5);
  REQUIRE(goal_order_from(goal, Instant{}).ok());
  CHECK(goal_order_from(goal, Instant{})->yaw == doctest::Approx(1.5707963));
  CHECK_FALSE(goal_order_from(goal, Instant{})->keep_yaw);
  const auto turned = goal.pose.orientation;
  goal.pose.orientation = {};
  goal.pose.orientation.w = 0;
  REQUIRE(goal_order_from(goal, Instant{}).ok());
  CHECK(goal_order_from(goal, Instant{})->keep_yaw);
  goal.pose.orientation = turned;
  goal.header.frame_id = "base_link";
  CHECK_FALSE(goal_order_from(goal, Instant{}).ok());
}

TEST_CASE("Waypoints go to mission items and back") {
  ros2::mavros_msgs::Waypoint waypoint;
  waypoint.frame = 3;
  waypoint.command = 16;
  waypoint.x_lat = 47.6302;
  waypoint.y_long = -122.3982391;
  waypoint.z_alt = -1.5;
  const auto item = mission_item_from(waypoint);
  REQUIRE(item.ok());
  CHECK(item->x == 476302000);
  CHECK(item->y == -1223982391);
  CHECK(waypoint_from(*item) == waypoint);
  waypoint.x_lat = 91;
  CHECK_FALSE(mission_item_from(waypoint).ok());
}

TEST_CASE("Modes are known by their names in any case and by their numbers") {
  CHECK(mode_from("alt_hold") == Mode::alt_hold);
  CHECK(mode_from("AUTO") == Mode::automatic);
  CHECK(mode_from("16") == Mode::poshold);
  CHECK_FALSE(mode_from("5").has_value());
  CHECK_FALSE(mode_from("").has_value());
  CHECK(mode_name(4) == "GUIDED");
  CHECK(mode_name(99) == "mode 99");
}
