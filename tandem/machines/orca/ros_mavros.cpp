#include "tandem/machines/orca/ros_mavros.hpp"

#include <limits>

#include "tandem/machines/orca/mode_names.hpp"

namespace tandem::orca {
namespace {

constexpr float not_told = std::numeric_limits<float>::quiet_NaN();  // as sensor_msgs says it

}  // namespace

RosMavros::RosMavros(ros2::FullNode& node)
    : state_publisher_(node.advertise<ros2::mavros_msgs::State>("/mavros/state", ros2::Qos::latched(10))),
      pose_publisher_(
          node.advertise<ros2::geometry_msgs::PoseStamped>("/mavros/local_position/pose", ros2::Qos::sensor_data())),
      odometry_publisher_(
          node.advertise<ros2::nav_msgs::Odometry>("/mavros/local_position/odom", ros2::Qos::sensor_data())),
      imu_publisher_(node.advertise<ros2::sensor_msgs::Imu>("/mavros/imu/data", ros2::Qos::sensor_data())),
      range_publisher_(
          node.advertise<ros2::sensor_msgs::Range>("/mavros/rangefinder/rangefinder", ros2::Qos::sensor_data())),
      battery_publisher_(node.advertise<ros2::sensor_msgs::BatteryState>("/mavros/battery", ros2::Qos::sensor_data())) {
  pose_.header.frame_id = odometry_.header.frame_id = std::string(frames::map);
  odometry_.child_frame_id = imu_.header.frame_id = std::string(frames::base);
  imu_.linear_acceleration_covariance[0] = -1;  // says "not measured"
  const Sonar sonar;
  range_.header.frame_id = std::string(frames::ping);
  range_.field_of_view = static_cast<float>(2 * sonar.half_angle);
  range_.min_range = static_cast<float>(sonar.least);
  range_.max_range = static_cast<float>(sonar.most);
  battery_.temperature = battery_.charge = battery_.capacity = battery_.design_capacity = not_told;
  battery_.present = true;
}

void RosMavros::publish(const State& state, const Stamp& stamp) {
  const Vehicle& v = state.vehicle;
  state_.header.stamp = pose_.header.stamp = odometry_.header.stamp = imu_.header.stamp = stamp;
  range_.header.stamp = battery_.header.stamp = stamp;
  state_.connected = v.presence == mavlink::Presence::live;
  state_.armed = v.armed;
  state_.guided = v.mode == static_cast<std::uint32_t>(Mode::guided);
  state_.manual_input = v.manual_input;
  state_.mode = mode_name(v.mode);
  state_.system_status = v.system_status;
  state_publisher_.publish(state_);
  fill(pose_.pose, v.X_map_base);
  odometry_.pose.pose = pose_.pose;
  const Eigen::Vector3d velocity =
      pose_from(v.X_map_base).linear().transpose() * Eigen::Vector3d(v.velocity[0], v.velocity[1], v.velocity[2]);
  odometry_.twist.twist.linear.x = velocity.x();
  odometry_.twist.twist.linear.y = velocity.y();
  odometry_.twist.twist.linear.z = velocity.z();
  odometry_.twist.twist.angular.x = imu_.angular_velocity.x = v.rates[0];
  odometry_.twist.twist.angular.y = imu_.angular_velocity.y = v.rates[1];
  odometry_.twist.twist.angular.z = imu_.angular_velocity.z = v.rates[2];
  imu_.orientation = pose_.pose.orientation;
  imu_publisher_.publish(imu_);
  if (v.estimates_position) {
    pose_publisher_.publish(pose_);
    odometry_publisher_.publish(odometry_);
  }
  if (v.sonar_at != Instant{}) {
    range_.range = static_cast<float>(v.sonar);
    range_publisher_.publish(range_);
  }
  if (v.battery_at != Instant{}) {
    battery_.voltage = static_cast<float>(v.voltage);
    battery_.current = static_cast<float>(-v.current);
    battery_.percentage = v.charge < 0 ? not_told : static_cast<float>(v.charge);
    battery_publisher_.publish(battery_);
  }
}

}  // namespace tandem::orca
