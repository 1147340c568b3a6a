// What mavros' users look for, under its names: state, where the vehicle is, range and battery.
#pragma once

#include "tandem/machines/orca/ros_messages.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"

namespace tandem::orca {

class RosMavros {
 public:
  explicit RosMavros(ros2::FullNode& node);
  void publish(const State& state, const Stamp& stamp);

 private:
  ros2::Publisher<ros2::mavros_msgs::State> state_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_;
  ros2::Publisher<ros2::nav_msgs::Odometry> odometry_publisher_;
  ros2::Publisher<ros2::sensor_msgs::Imu> imu_publisher_;
  ros2::Publisher<ros2::sensor_msgs::Range> range_publisher_;
  ros2::Publisher<ros2::sensor_msgs::BatteryState> battery_publisher_;
  ros2::mavros_msgs::State state_;
  ros2::geometry_msgs::PoseStamped pose_;
  ros2::nav_msgs::Odometry odometry_;
  ros2::sensor_msgs::Imu imu_;
  ros2::sensor_msgs::Range range_;
  ros2::sensor_msgs::BatteryState battery_;
};

}  // namespace tandem::orca
