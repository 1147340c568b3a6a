// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tandem/machines/kit/ros/diagnosis.hpp"

namespace tandem::raptorlift {
namespace {

namespace ackermann = kinematics::ackermann;
using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::sensor_msgs::JointState;

constexpr double fastest_twist =
    10;                            // m/s and rad/s: larger values are mistakes, and the controller's limits are below
constexpr double sideways = 1e-3;  // m/s: less is rounding
constexpr double slack = 1.01;     // of a joint's range: what rounding and other people's limits may add

// The variances that the original's controller is configured with.
constexpr double variance = 0.001, yaw_variance = 0.01;

Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

// Where each of our joints is among the message's names.
Result<std::array<std::size_t, axis_count>> places_of(const std::vector<std::string>& names, std::string_view prefix) {
  std::array<std::optional<std::size_t>, axis_count> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const auto* known =
        name.starts_with(prefix) ? std::ranges::find(joint_names, name.substr(prefix.size())) : joint_names.end();
    if (known == joint_names.end()) return wrong(fmt::format("name: unknown joint '{}'", names[i].substr(0, 60)));
    auto& place = places[static_cast<std::size_t>(known - joint_names.begin())];
    if (place) return wrong(fmt::format("name: '{}' appears twice", names[i]));
    place = i;
  }
  std::array<std::size_t, axis_count> all{};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    if (!places[axis]) return wrong(fmt::format("name: '{}{}' is missing", prefix, joint_names[axis]));
    all[axis] = *places[axis];
  }
  return all;
}

// The values of two joints out of an array that holds all four, or these two alone.
Result<std::array<double, 2>> pair_from(std::string_view field, const std::vector<double>& values, std::size_t first,
                                        std::size_t second) {
  std::array<std::size_t, 2> at{first, second};
  if (values.size() == 2) {
    at = first < second ? std::array<std::size_t, 2>{0, 1} : std::array<std::size_t, 2>{1, 0};
  } else if (values.size() != axis_count) {
    return wrong(fmt::format("{}: expected 4 values, or 2, got {}", field, values.size()));
  }
  return std::array{values[at[0]], values[at[1]]};
}

Result<void> in_range(std::size_t axis, std::string_view field, double value, double most) {
  if (std::abs(value) <= most * slack) return {};  // false for what is no number
  return wrong(
      fmt::format("{} of {}: expected within {:.4g} either way, got {:.4g}", field, joint_names[axis], most, value));
}

void fill_pose(ros2::geometry_msgs::Quaternion& rotation, double yaw) {
  rotation = {};
  rotation.z = std::sin(yaw / 2);
  rotation.w = std::cos(yaw / 2);
}

ros2::geometry_msgs::TransformStamped link_at(std::string parent, std::string child, const std::array<double, 3>& at) {
  ros2::geometry_msgs::TransformStamped link;
  link.header.frame_id = std::move(parent);
  link.child_frame_id = std::move(child);
  link.transform.translation = {at[0], at[1], at[2]};
  link.transform.rotation.w = 1;
  return link;
}

}  // namespace

void fill(JointState& message, const State& state, const Stamp& stamp, const JointUnits& units) {
  message.header.stamp = stamp;
  if (message.name.size() != axis_count) message.name.assign(joint_names.begin(), joint_names.end());
  const double u = units.per_radian;
  message.position.assign(
      {u * state.wheel_angles[0], u * state.wheel_angles[1], state.measured.rear_right, state.measured.rear_left});
  message.velocity.assign({u * state.measured.front_right, u * state.measured.front_left, state.steering_rates[0],
                           state.steering_rates[1]});
  message.effort.assign(state.torques.begin(), state.torques.end());
}

void fill(ros2::nav_msgs::Odometry& message, const State& state, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.pose.pose.position.x = state.X_odom_base.x;
  message.pose.pose.position.y = state.X_odom_base.y;
  fill_pose(message.pose.pose.orientation, state.X_odom_base.yaw);
  message.twist.twist.linear.x = state.twist.vx;
  message.twist.twist.linear.y = state.twist.vy;
  message.twist.twist.angular.z = state.twist.w;
  for (std::size_t i = 0; i < 6; ++i) {
    message.pose.covariance[7 * i] = message.twist.covariance[7 * i] = i == 5 ? yaw_variance : variance;
  }
}

void fill(ros2::geometry_msgs::TransformStamped& message, const State& state, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.transform.translation.x = state.X_odom_base.x;
  message.transform.translation.y = state.X_odom_base.y;
  fill_pose(message.transform.rotation, state.X_odom_base.yaw);
}

Links links_at_rest(const Description& description, std::string_view prefix) {
  const auto named = [&](std::string_view name) { return fmt::format("{}{}", prefix, name); };
  Links links;
  links.base = link_at(named("base_footprint"), named("base_link"), {0, 0, description.base_height});
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    links.wheels[axis] = link_at(named("base_link"), named(link_names[axis]), wheel_place(description, axis));
  return links;
}

void fill(Links& links, const State& state, const Stamp& stamp) {
  const std::array<double, axis_count> angles = {state.wheel_angles[0], state.wheel_angles[1],
                                                 state.measured.rear_right, state.measured.rear_left};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    auto& link = links.wheels[axis];
    link.header.stamp = stamp;
    auto& rotation = link.transform.rotation;
    rotation = {};
    // About the axes of the URDF: 0 1 0 for wheels that roll, 0 0 -1 for those that steer.
    (steers(axis) ? rotation.z : rotation.y) = std::sin(angles[axis] / 2) * (steers(axis) ? -1 : 1);
    rotation.w = std::cos(angles[axis] / 2);
  }
}

void fill(ros2::control_msgs::SteeringControllerStatus& message, const State& state, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.traction_wheels_position.assign(state.wheel_angles.begin(), state.wheel_angles.end());
  message.traction_wheels_velocity.assign({state.measured.front_right, state.measured.front_left});
  message.steer_positions.assign({state.measured.rear_right, state.measured.rear_left});
  message.linear_velocity_command.assign({state.targets.front_right, state.targets.front_left});
  message.steering_angle_command.assign({state.targets.rear_right, state.targets.rear_left});
}

Result<ackermann::Wheels> wheels_from(const JointState& message, const Description& description,
                                      const JointUnits& units, std::string_view prefix) {
  auto places = places_of(message.name, prefix);
  if (!places) return std::move(places).error();
  const auto& at = *places;
  auto speeds = pair_from("velocity", message.velocity, at[0], at[1]);
  if (!speeds) return std::move(speeds).error();
  auto angles = pair_from("position", message.position, at[2], at[3]);
  if (!angles) return std::move(angles).error();
  const double most = description.geometry.steering_limit;
  ackermann::Wheels wheels{(*speeds)[0] / units.per_radian, (*speeds)[1] / units.per_radian, (*angles)[0],
                           (*angles)[1]};
  const std::array<double, axis_count> all = values(wheels);
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    auto good = steers(axis) ? in_range(axis, "position", all[axis], most)
                             : in_range(axis, "velocity", all[axis], traction_speed);
    if (!good) return std::move(good).error();
  }
  wheels.rear_right = std::clamp(wheels.rear_right, -most, most);
  wheels.rear_left = std::clamp(wheels.rear_left, -most, most);
  return wheels;
}

Result<ackermann::Twist> twist_from(const ros2::geometry_msgs::Twist& message) {
  const std::array<std::pair<const char*, double>, 6> parts = {{{"linear.x", message.linear.x},
                                                                {"linear.y", message.linear.y},
                                                                {"linear.z", message.linear.z},
                                                                {"angular.x", message.angular.x},
                                                                {"angular.y", message.angular.y},
                                                                {"angular.z", message.angular.z}}};
  for (const auto& [field, value] : parts) {
    if (!(std::abs(value) <= fastest_twist))
      return wrong(fmt::format("{}: expected within {} either way, got {:.4g}", field, fastest_twist, value));
  }
  if (std::abs(message.linear.y) > sideways)
    return wrong(fmt::format("linear.y: expected 0 (the truck cannot move sideways), got {:.4g}", message.linear.y));
  return ackermann::Twist{message.linear.x, message.angular.z};
}

Result<ackermann::PlanarPose> pose_from(const ros2::control_msgs::SetOdometry::Request& request) {
  constexpr double farthest = 1e6;  // m
  constexpr double flat = 1e-6;
  for (const auto& [field, value] :
       {std::pair("x", request.x), std::pair("y", request.y), std::pair("yaw", request.yaw)}) {
    if (!(std::abs(value) <= farthest)) return wrong(fmt::format("{}: expected a number, got {:.4g}", field, value));
  }
  for (const auto& [field, value] :
       {std::pair("z", request.z), std::pair("roll", request.roll), std::pair("pitch", request.pitch)}) {
    if (!(std::abs(value) <= flat))
      return wrong(fmt::format("{}: expected 0 (odometry is planar), got {:.4g}", field, value));
  }
  return ackermann::PlanarPose{request.x, request.y, request.yaw};
}

DiagnosticStatus diagnosis(const State& state, const std::string& part, const std::string& hardware) {
  DiagnosticStatus status = machines::diagnosis_of(state, part, hardware, false, activity_text(state));
  std::string enabled;
  for (std::size_t coil = coils::first_enable; coil < coils::count; ++coil) enabled += state.coils[coil] ? '1' : '0';
  status.values = {
      {"quality", name(state.quality)},
      {"activity", activity_text(state)},
      {"driven by", std::string(state.input.view())},
      {"motors enabled", enabled},
      {"last stop", std::string(state.stopped.view())},
      {"speed", fmt::format("{:.3f} m/s", state.twist.vx)},
      {"slip", fmt::format("{:.3f} m/s", state.slip)},
      {"samples", fmt::format("{}", state.samples)},
      {"rejected", fmt::format("{}", state.rejected)},
      {"torn values", fmt::format("{}", state.jumps)},
      {"timeouts", fmt::format("{}", state.timeouts)},
      {"late answers", fmt::format("{}", state.late)},
      {"targets out of range", fmt::format("{}", state.saturated)},
  };
  return status;
}

}  // namespace tandem::raptorlift
