// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/mavros.hpp"

#include <limits>

#include "tandem/machines/orca/device/mode_names.hpp"

namespace tandem::orca {
namespace {

constexpr Duration reported_memory = 3s;                                  // what is older is not published as present
constexpr float unknown_value = std::numeric_limits<float>::quiet_NaN();  // as sensor_msgs says it

void put(ros2::geometry_msgs::Vector3& message, const Eigen::Vector3d& v) {
  message.x = v.x();
  message.y = v.y();
  message.z = v.z();
}

}  // namespace

MavrosTopics::MavrosTopics(ros2::FullNode& node)
    : state_publisher_(node.advertise<ros2::mavros_msgs::State>("/mavros/state", ros2::Qos::latched(10))),
      pose_publisher_(
          node.advertise<ros2::geometry_msgs::PoseStamped>("/mavros/local_position/pose", ros2::Qos::sensor_data())),
      odometry_publisher_(
          node.advertise<ros2::nav_msgs::Odometry>("/mavros/local_position/odom", ros2::Qos::sensor_data())),
      velocity_publisher_(node.advertise<ros2::geometry_msgs::TwistStamped>("/mavros/local_position/velocity_local",
                                                                            ros2::Qos::sensor_data())),
      body_velocity_publisher_(node.advertise<ros2::geometry_msgs::TwistStamped>("/mavros/local_position/velocity_body",
                                                                                 ros2::Qos::sensor_data())),
      global_publisher_(
          node.advertise<ros2::sensor_msgs::NavSatFix>("/mavros/global_position/global", ros2::Qos::sensor_data())),
      heading_publisher_(
          node.advertise<ros2::std_msgs::Float64>("/mavros/global_position/compass_hdg", ros2::Qos::sensor_data())),
      altitude_publisher_(
          node.advertise<ros2::std_msgs::Float64>("/mavros/global_position/rel_alt", ros2::Qos::sensor_data())),
      text_publisher_(node.advertise<ros2::mavros_msgs::StatusText>("/mavros/statustext/recv")),
      mission_publisher_(
          node.advertise<ros2::mavros_msgs::WaypointList>("/mavros/mission/waypoints", ros2::Qos::latched(1))),
      imu_publisher_(node.advertise<ros2::sensor_msgs::Imu>("/mavros/imu/data", ros2::Qos::sensor_data())),
      range_publisher_(
          node.advertise<ros2::sensor_msgs::Range>("/mavros/rangefinder/rangefinder", ros2::Qos::sensor_data())),
      battery_publisher_(node.advertise<ros2::sensor_msgs::BatteryState>("/mavros/battery", ros2::Qos::sensor_data())) {
  pose_.header.frame_id = odometry_.header.frame_id = velocity_.header.frame_id = std::string(frames::map);
  odometry_.child_frame_id = imu_.header.frame_id = body_velocity_.header.frame_id = std::string(frames::base);
  global_.header.frame_id = std::string(frames::base);
  global_.status.status = -1;                   // no satellites: the estimator says where it is
  imu_.linear_acceleration_covariance[0] = -1;  // says "not measured"
  const Sonar sonar;
  range_.header.frame_id = std::string(frames::ping);
  range_.field_of_view = static_cast<float>(2 * sonar.half_angle);
  range_.min_range = static_cast<float>(sonar.least);
  range_.max_range = static_cast<float>(sonar.most);
  battery_.temperature = battery_.charge = battery_.capacity = battery_.design_capacity = unknown_value;
  battery_.present = true;
}

void MavrosTopics::publish(const State& state, const Stamp& stamp, Instant now) {
  const Vehicle& v = state.vehicle;
  const auto is_fresh = [now](Instant at) { return at != Instant{} && now - at <= reported_memory; };
  state_.header.stamp = pose_.header.stamp = odometry_.header.stamp = imu_.header.stamp = stamp;
  range_.header.stamp = battery_.header.stamp = velocity_.header.stamp = stamp;
  body_velocity_.header.stamp = global_.header.stamp = stamp;
  state_.connected = v.presence == mavlink::Presence::live;
  state_.armed = v.armed;
  state_.guided = v.mode == static_cast<std::uint32_t>(Mode::guided);
  state_.manual_input = v.manual_input;
  state_.mode = mode_name(v.mode);
  state_.system_status = v.system_status;
  state_publisher_.publish(state_);
  publish_motion(v);
  if (is_fresh(v.global_at)) publish_place(v);
  if (is_fresh(v.sonar_at)) {
    range_.range = static_cast<float>(v.sonar);
    range_publisher_.publish(range_);
  }
  if (is_fresh(v.battery_at)) {
    battery_.voltage = static_cast<float>(v.voltage);
    battery_.current = static_cast<float>(-v.current);
    battery_.percentage = v.charge < 0 ? unknown_value : static_cast<float>(v.charge);
    battery_publisher_.publish(battery_);
  }
}

void MavrosTopics::publish_motion(const Vehicle& v) {
  fill(pose_.pose, v.X_map_base);
  odometry_.pose.pose = pose_.pose;
  imu_.orientation = pose_.pose.orientation;
  const Eigen::Matrix3d R = pose_from(v.X_map_base).linear();
  const Eigen::Vector3d rates(v.rates[0], v.rates[1], v.rates[2]);
  const Eigen::Vector3d velocity(v.velocity[0], v.velocity[1], v.velocity[2]);
  put(imu_.angular_velocity, rates);
  imu_publisher_.publish(imu_);
  if (!v.estimates_position) return;
  put(velocity_.twist.linear, velocity);
  put(velocity_.twist.angular, R * rates);
  put(body_velocity_.twist.linear, R.transpose() * velocity);
  put(body_velocity_.twist.angular, rates);
  odometry_.twist.twist = body_velocity_.twist;
  pose_publisher_.publish(pose_);
  odometry_publisher_.publish(odometry_);
  velocity_publisher_.publish(velocity_);
  body_velocity_publisher_.publish(body_velocity_);
}

void MavrosTopics::publish_place(const Vehicle& v) {
  global_.latitude = v.latitude;
  global_.longitude = v.longitude;
  global_.altitude = v.altitude;
  global_publisher_.publish(global_);
  altitude_publisher_.publish({v.relative_altitude});
  if (v.heading >= 0) heading_publisher_.publish({v.heading});
}

void MavrosTopics::say(std::uint8_t severity, std::string_view text, const Stamp& stamp) {
  ros2::mavros_msgs::StatusText message;
  message.header.stamp = stamp;
  message.severity = severity;
  message.text = text;
  text_publisher_.publish(message);
}

void MavrosTopics::show_mission(const std::vector<mavlink::MissionItemInt>& items) {
  ros2::mavros_msgs::WaypointList list;
  for (const auto& item : items) {
    if (item.current != 0) list.current_seq = item.seq;
    list.waypoints.push_back(waypoint_from(item));
  }
  mission_publisher_.publish(list);
}

}  // namespace tandem::orca
