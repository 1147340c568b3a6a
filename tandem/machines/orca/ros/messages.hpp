// SPDX-License-Identifier: Apache-2.0
// From what the bridge knows to what ROS users see, and from what they send to what it takes.
#pragma once

#include <string>
#include <vector>

#include "tandem/machines/orca/commands.hpp"
#include "tandem/machines/orca/state.hpp"
#include "tandem/machines/orca/vision/visual_range.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/mavros_msgs.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/messages/orca_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"

namespace tandem::orca {

using Stamp = ros2::builtin_interfaces::Time;

void fill(ros2::geometry_msgs::Pose& message, const PlainPose& pose);
void fill(ros2::geometry_msgs::TransformStamped& message, const PlainPose& pose, const Stamp& stamp);
void fill(ros2::orca_msgs::FilterStatus& message, const Vehicle& vehicle, const Stamp& stamp);
void fill(ros2::orca_msgs::BridgeStatus& message, const State& state, const Stamp& stamp);

// The points of a cloud with float x, y, z in whatever places; any bytes in, points or an error out. More than the
// first `most_points` are left out.
inline constexpr std::size_t most_points = 20'000;
Result<void> read_points(const ros2::sensor_msgs::PointCloud2& cloud, std::vector<Eigen::Vector3f>& points);
// The same cloud in metres; false when it holds no such points.
bool scale_points(ros2::sensor_msgs::PointCloud2& cloud, double scale);

// Measures the visual range on the way. Any message gives a value or an error.
class SightingReader {
 public:
  Result<Sighting> read(const ros2::orb_slam3_msgs::SlamStatus& message, Instant received, UtcTime now);

 private:
  VisualRangefinder finder_;
  std::vector<Eigen::Vector3f> points_;
};

Result<TwistCommand> twist_order_from(const ros2::geometry_msgs::Twist& message, Instant received);
Result<GoalCommand> goal_order_from(const ros2::geometry_msgs::PoseStamped& message, Instant received);
Result<mavlink::MissionItemInt> mission_item_from(const ros2::mavros_msgs::Waypoint& waypoint);
ros2::mavros_msgs::Waypoint waypoint_from(const mavlink::MissionItemInt& item);

ros2::diagnostic_msgs::DiagnosticStatus diagnosis(const State& state, const std::string& part,
                                                  const std::string& hardware);

}  // namespace tandem::orca
