// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/messages.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/machines/orca/device/mode_names.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::orca_msgs::BridgeStatus;
using ros2::sensor_msgs::PointCloud2;
using ros2::sensor_msgs::PointField;

constexpr double fastest_order = 10;    // m/s and rad/s: larger values are mistakes
constexpr double farthest_order = 1e5;  // m
constexpr Duration oldest_image = 1s;   // an older one, or one of the future, has another clock than ours

static_assert(waits::transforms == BridgeStatus::WAIT_TRANSFORMS && waits::sonar == BridgeStatus::WAIT_SONAR_RF &&
              waits::ekf == BridgeStatus::WAIT_EKF && waits::slam == BridgeStatus::WAIT_SLAM &&
              waits::outlier == BridgeStatus::OK_OUTLIER);

Error refused(std::string text) { return {Fault::invalid, std::move(text)}; }

// Where x, y and z are in a point, and how many points there are; every one of them lies within the data.
struct CloudLayout {
  std::array<std::size_t, 3> offsets{};
  std::size_t step = 0, row = 0, width = 0, height = 0;
};

Result<CloudLayout> layout_of(const PointCloud2& cloud) {
  if (cloud.is_bigendian) return refused("tracked_points: expected little-endian numbers");
  CloudLayout layout{{}, cloud.point_step, cloud.row_step, cloud.width, cloud.height};
  constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const PointField* found = nullptr;
    for (const PointField& field : cloud.point_fields)
      if (field.name == names[axis]) found = &field;
    if (found == nullptr || found->datatype != PointField::FLOAT32)
      return refused(fmt::format("tracked_points: expected a float field '{}'", names[axis]));
    layout.offsets[axis] = found->offset;
    if (layout.offsets[axis] + sizeof(float) > layout.step)
      return refused(fmt::format("tracked_points: field '{}' at {} does not fit in a point of {} bytes", names[axis],
                                 found->offset, cloud.point_step));
  }
  if (layout.width == 0 || layout.height == 0) return CloudLayout{};
  if (layout.height == 1) layout.row = layout.width * layout.step;
  const bool fits = layout.row >= layout.width * layout.step && layout.row * layout.height <= cloud.data.size();
  if (!fits) {
    return refused(fmt::format("tracked_points: {} by {} points of {} bytes, but {} bytes of data", layout.width,
                               layout.height, layout.step, cloud.data.size()));
  }
  return layout;
}

template <typename Visit>
void each_point(const CloudLayout& layout, std::size_t most, Visit visit) {
  for (std::size_t row = 0; row < layout.height; ++row) {
    for (std::size_t column = 0; column < layout.width; ++column) {
      if (most-- == 0) return;
      visit(row * layout.row + column * layout.step);
    }
  }
}

bool all_within(std::initializer_list<double> values, double most) {
  for (const double value : values)
    if (!(std::abs(value) <= most)) return false;  // also what is no number
  return true;
}

}  // namespace

void fill(ros2::geometry_msgs::Pose& message, const PlainPose& pose) {
  message.position.x = pose.position[0];
  message.position.y = pose.position[1];
  message.position.z = pose.position[2];
  message.orientation.w = pose.rotation[0];
  message.orientation.x = pose.rotation[1];
  message.orientation.y = pose.rotation[2];
  message.orientation.z = pose.rotation[3];
}

void fill(ros2::geometry_msgs::TransformStamped& message, const PlainPose& pose, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.transform.translation.x = pose.position[0];
  message.transform.translation.y = pose.position[1];
  message.transform.translation.z = pose.position[2];
  message.transform.rotation.w = pose.rotation[0];
  message.transform.rotation.x = pose.rotation[1];
  message.transform.rotation.y = pose.rotation[2];
  message.transform.rotation.z = pose.rotation[3];
}

void fill(ros2::orca_msgs::FilterStatus& message, const Vehicle& vehicle, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.flags = vehicle.ekf_flags;
  message.velocity_variance = vehicle.ekf_variances[0];
  message.pos_horiz_variance = vehicle.ekf_variances[1];
  message.pos_vert_variance = vehicle.ekf_variances[2];
  message.compass_variance = vehicle.ekf_variances[3];
  message.terrain_alt_variance = vehicle.ekf_variances[4];
  message.airspeed_variance = vehicle.ekf_variances[5];
}

void fill(ros2::orca_msgs::BridgeStatus& message, const State& state, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.flags = state.flags;
  message.sonar_rf = state.vehicle.sonar;
  message.slam_rf = state.visual.range;
  message.scale = state.scale;
}

Result<void> read_points(const PointCloud2& cloud, std::vector<Eigen::Vector3f>& points) {
  points.clear();
  if (cloud.width == 0 || cloud.height == 0) return {};
  const auto layout = layout_of(cloud);
  if (!layout) return layout.error();
  points.reserve(std::min(most_points, layout->width * layout->height));
  each_point(*layout, most_points, [&](std::size_t at) {
    Eigen::Vector3f point;
    for (int axis = 0; axis < 3; ++axis)
      std::memcpy(&point[axis], cloud.data.data() + at + layout->offsets[static_cast<std::size_t>(axis)],
                  sizeof(float));
    points.push_back(point);
  });
  return {};
}

bool scale_points(PointCloud2& cloud, double scale) {
  if (cloud.width == 0 || cloud.height == 0) return true;
  const auto layout = layout_of(cloud);
  if (!layout) return false;
  each_point(*layout, layout->width * layout->height, [&](std::size_t at) {
    for (const std::size_t offset : layout->offsets) {
      float value = 0;
      std::memcpy(&value, cloud.data.data() + at + offset, sizeof value);
      value = static_cast<float>(value * scale);
      std::memcpy(cloud.data.data() + at + offset, &value, sizeof value);
    }
  });
  return true;
}

Result<Sighting> SightingReader::read(const ros2::orb_slam3_msgs::SlamStatus& message, Instant received, UtcTime now) {
  if (message.tracking_state < -1 || message.tracking_state > 5)
    return refused(fmt::format("tracking_state: expected -1 to 5, got {}", message.tracking_state));
  Sighting sighting;
  sighting.received = received;
  const Stamp& stamp = message.header.stamp;
  sighting.stamp =
      stamp.sec == 0 && stamp.nanosec == 0 ? now.time_since_epoch() : ros2::utc_from(stamp).time_since_epoch();
  const Duration age = now.time_since_epoch() - sighting.stamp;
  if (age >= Duration::zero() && age <= oldest_image) sighting.taken = received - age;
  sighting.tracking = static_cast<Tracking>(message.tracking_state);
  sighting.map_changed = message.map_changed;
  sighting.map = message.map_id;
  const auto& p = message.pose.position;
  const auto& q = message.pose.orientation;
  sighting.X_world_camera = {{p.x, p.y, p.z}, {q.w, q.x, q.y, q.z}};
  if (sighting.tracking != Tracking::ok || !sighting.X_world_camera.finite()) return sighting;
  if (auto read = read_points(message.tracked_points, points_); !read) return read.error();
  sighting.visual = finder_.measure(pose_from(sighting.X_world_camera), points_);
  return sighting;
}

Result<TwistCommand> twist_order_from(const ros2::geometry_msgs::Twist& message, Instant received) {
  const auto& l = message.linear;
  const auto& a = message.angular;
  if (!all_within({l.x, l.y, l.z, a.x, a.y, a.z}, fastest_order)) {
    return refused(fmt::format("expected within {} m/s and rad/s, got {:.4g} {:.4g} {:.4g} and {:.4g} {:.4g} {:.4g}",
                               fastest_order, l.x, l.y, l.z, a.x, a.y, a.z));
  }
  return TwistCommand{{l.x, l.y, l.z}, a.z, received};
}

Result<GoalCommand> goal_order_from(const ros2::geometry_msgs::PoseStamped& message, Instant received) {
  const std::string& frame = message.header.frame_id;
  if (!frame.empty() && frame != frames::map && frame != "/map")
    return refused(fmt::format("frame_id: expected 'map', got '{}'", frame.substr(0, 60)));
  const auto& p = message.pose.position;
  const auto& q = message.pose.orientation;
  if (!all_within({p.x, p.y, p.z}, farthest_order) || !all_within({q.w, q.x, q.y, q.z}, 2))
    return refused("expected a pose of finite numbers");
  GoalCommand order{{p.x, p.y, p.z}, 0, received};
  order.keep_yaw = q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;  // no heading is asked for
  if (order.keep_yaw) return order;
  const Eigen::Matrix3d R = ros2::pose_from(message.pose).linear();
  order.yaw = std::atan2(R(1, 0), R(0, 0));
  return order;
}

Result<mavlink::MissionItemInt> mission_item_from(const ros2::mavros_msgs::Waypoint& waypoint) {
  if (!all_within({waypoint.x_lat, waypoint.y_long, waypoint.z_alt}, farthest_order))
    return refused("waypoint: expected finite numbers");
  const bool local = waypoint.frame == ros2::mavros_msgs::Waypoint::FRAME_LOCAL_NED ||
                     waypoint.frame == ros2::mavros_msgs::Waypoint::FRAME_LOCAL_ENU;
  if (!local && !(std::abs(waypoint.x_lat) <= 90 && std::abs(waypoint.y_long) <= 180)) {
    return refused(fmt::format("waypoint: expected latitude and longitude in degrees, got {} {}", waypoint.x_lat,
                               waypoint.y_long));
  }
  const double unit = local ? 1e4 : 1e7;
  mavlink::MissionItemInt item;
  item.frame = waypoint.frame;
  item.command = waypoint.command;
  item.current = waypoint.is_current ? 1 : 0;
  item.autocontinue = waypoint.autocontinue ? 1 : 0;
  item.param1 = waypoint.param1;
  item.param2 = waypoint.param2;
  item.param3 = waypoint.param3;
  item.param4 = waypoint.param4;
  item.x = static_cast<std::int32_t>(std::llround(std::min(std::abs(waypoint.x_lat) * unit, 2147483647.0)) *
                                     (waypoint.x_lat < 0 ? -1 : 1));
  item.y = static_cast<std::int32_t>(std::llround(std::min(std::abs(waypoint.y_long) * unit, 2147483647.0)) *
                                     (waypoint.y_long < 0 ? -1 : 1));
  item.z = static_cast<float>(waypoint.z_alt);
  return item;
}

ros2::mavros_msgs::Waypoint waypoint_from(const mavlink::MissionItemInt& item) {
  ros2::mavros_msgs::Waypoint waypoint;
  const bool local = item.frame == ros2::mavros_msgs::Waypoint::FRAME_LOCAL_NED ||
                     item.frame == ros2::mavros_msgs::Waypoint::FRAME_LOCAL_ENU;
  const double unit = local ? 1e4 : 1e7;
  waypoint.frame = item.frame;
  waypoint.command = item.command;
  waypoint.is_current = item.current != 0;
  waypoint.autocontinue = item.autocontinue != 0;
  waypoint.param1 = item.param1;
  waypoint.param2 = item.param2;
  waypoint.param3 = item.param3;
  waypoint.param4 = item.param4;
  waypoint.x_lat = item.x / unit;
  waypoint.y_long = item.y / unit;
  waypoint.z_alt = static_cast<double>(item.z);
  return waypoint;
}

DiagnosticStatus diagnosis(const State& state, const std::string& part, const std::string& hardware) {
  const bool waits = !state.waiting.empty();
  DiagnosticStatus status = machines::diagnosis_of(state, part, hardware, waits, "vision in use");
  if (state.why.empty()) status.message = waits ? state.waiting.view() : "vision in use";
  status.values = {
      {"quality", name(state.quality)},
      {"mode", mode_name(state.vehicle.mode)},
      {"armed", state.vehicle.armed ? "yes" : "no"},
      {"activity", name(state.activity)},
      {"vision", name(state.verdict)},
      {"source set", fmt::format("{}", state.source_set)},
      {"scale", fmt::format("{:.4f} m per unit", state.scale)},
      {"sonar", fmt::format("{:.3f} m", state.vehicle.sonar)},
      {"frames of the SLAM", fmt::format("{}", state.frames)},
      {"deltas sent", fmt::format("{}", state.sent)},
      {"outliers", fmt::format("{}", state.outliers)},
      {"frames lost", fmt::format("{:.2f} %", 100 * state.vehicle.loss)},
      {"rejected", fmt::format("{}", state.vehicle.rejected)},
      {"jumps of the estimate", fmt::format("{}", state.vehicle.estimate_jumps)},
      {"restarts", fmt::format("{}", state.vehicle.reboots)},
      {"last words", std::string(state.vehicle.text.view())},
  };
  return status;
}

}  // namespace tandem::orca
