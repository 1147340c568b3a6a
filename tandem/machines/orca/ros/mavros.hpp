// SPDX-License-Identifier: Apache-2.0
// What mavros' users look for, under its names: state, where the vehicle is and how fast, range, battery and words.
#pragma once

#include "tandem/machines/orca/ros/messages.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::orca {

class MavrosTopics {
 public:
  explicit MavrosTopics(ros2::FullNode& node);
  void publish(const State& state, const Stamp& stamp, Instant now);
  void say(std::uint8_t severity, std::string_view text, const Stamp& stamp);
  // From any thread.
  void show_mission(const std::vector<mavlink::MissionItemInt>& items);

 private:
  void publish_motion(const Vehicle& vehicle);
  void publish_place(const Vehicle& vehicle);

  ros2::Publisher<ros2::mavros_msgs::State> state_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_;
  ros2::Publisher<ros2::nav_msgs::Odometry> odometry_publisher_;
  ros2::Publisher<ros2::geometry_msgs::TwistStamped> velocity_publisher_, body_velocity_publisher_;
  ros2::Publisher<ros2::sensor_msgs::NavSatFix> global_publisher_;
  ros2::Publisher<ros2::std_msgs::Float64> heading_publisher_, altitude_publisher_;
  ros2::Publisher<ros2::mavros_msgs::StatusText> text_publisher_;
  ros2::Publisher<ros2::mavros_msgs::WaypointList> mission_publisher_;
  ros2::Publisher<ros2::sensor_msgs::Imu> imu_publisher_;
  ros2::Publisher<ros2::sensor_msgs::Range> range_publisher_;
  ros2::Publisher<ros2::sensor_msgs::BatteryState> battery_publisher_;
  ros2::mavros_msgs::State state_;
  ros2::geometry_msgs::PoseStamped pose_;
  ros2::nav_msgs::Odometry odometry_;
  ros2::geometry_msgs::TwistStamped velocity_, body_velocity_;
  ros2::sensor_msgs::NavSatFix global_;
  ros2::sensor_msgs::Imu imu_;
  ros2::sensor_msgs::Range range_;
  ros2::sensor_msgs::BatteryState battery_;
};

}  // namespace tandem::orca
