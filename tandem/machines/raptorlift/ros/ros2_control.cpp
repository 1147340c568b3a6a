// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/ros2_control.hpp"

#include <fmt/format.h>

#include "tandem/machines/raptorlift/ros/urdf.hpp"

namespace tandem::raptorlift {
namespace {

std::string interfaces(const Description& description, std::size_t axis) {
  std::string text = fmt::format("    <joint name=\"{}\">\n", joint_names[axis]);
  const double most = steers(axis) ? description.geometry.steering_limit : traction_speed;
  text += fmt::format(
      "      <command_interface name=\"{}\">\n        <param name=\"min\">{:.9g}</param>\n"
      "        <param name=\"max\">{:.9g}</param>\n      </command_interface>\n",
      steers(axis) ? "position" : "velocity", -most, most);
  for (const std::string_view name : {"position", "velocity", "effort"})
    text += fmt::format("      <state_interface name=\"{}\"/>\n", name);
  return text + "    </joint>\n";
}

std::string yaml_flag(bool value) { return value ? "true" : "false"; }

// YAML knows a parameter's type by its point: 1 is an integer, 1.0 is what the controller wants.
std::string yaml_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string yaml_diagonal(double first, double yaw) {
  std::string text = "[";
  for (int i = 0; i < 6; ++i) text += (i == 0 ? "" : ", ") + yaml_number(i == 5 ? yaw : first);
  return text + "]";
}

}  // namespace

std::string ros2_control_urdf(const Description& description, std::string_view plugin) {
  std::string text = fmt::format(
      "  <ros2_control name=\"raptorlift\" type=\"system\">\n    <hardware>\n"
      "      <plugin>{}</plugin>\n"
      "      <param name=\"joint_commands_topic\">{}</param>\n      <param name=\"joint_states_topic\">{}</param>\n"
      "      <!-- Commands are sent only when they differ from the state by more than this: from 0 on, a command that "
      "is\n"
      "           followed exactly times out at the machine. -->\n"
      "      <param name=\"trigger_joint_command_threshold\">-1</param>\n    </hardware>\n",
      plugin, joint_commands_topic, joint_states_topic);
  for (std::size_t axis = 0; axis < axis_count; ++axis) text += interfaces(description, axis);
  return urdf(description, text + "  </ros2_control>\n");
}

std::string ros2_control_yaml(const Description& description, const Times& times) {
  const auto& geometry = description.geometry;
  std::string text = fmt::format(
      "controller_manager:\n  ros__parameters:\n    update_rate: {:.0f}\n"
      "    joint_state_broadcaster:\n      type: joint_state_broadcaster/JointStateBroadcaster\n"
      "    ackermann_steering_controller:\n      type: ackermann_steering_controller/AckermannSteeringController\n\n"
      "ackermann_steering_controller:\n  ros__parameters:\n",
      1 / times.cycle);
  const auto put = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("    {}: {}\n", key, value);
  };
  put("traction_joints_names", fmt::format("[{}, {}]", joint_names[0], joint_names[1]));
  put("steering_joints_names", fmt::format("[{}, {}]", joint_names[2], joint_names[3]));
  put("wheelbase", yaml_number(geometry.wheelbase));
  put("traction_track_width", yaml_number(geometry.traction_track));
  put("steering_track_width", yaml_number(geometry.steering_track));
  put("traction_wheels_radius", yaml_number(geometry.wheel_radius));
  put("reference_timeout", yaml_number(times.reference));
  put("open_loop", yaml_flag(false));
  put("position_feedback", yaml_flag(false) + "  # driven wheels by speed; the steering's angle counts either way");
  put("reduce_wheel_speed_until_steering_reached", yaml_flag(true));
  put("velocity_rolling_window_size", "10");
  put("base_frame_id", "base_footprint");
  put("odom_frame_id", "odom");
  put("enable_odom_tf", yaml_flag(true));
  put("pose_covariance_diagonal", yaml_diagonal(0.001, 0.01));
  put("twist_covariance_diagonal", yaml_diagonal(0.001, 0.01));
  return text;
}

}  // namespace tandem::raptorlift
