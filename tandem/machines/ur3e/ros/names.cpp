// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/names.hpp"

#include "tandem/machines/ur3e/gripper_option.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"

namespace tandem::ur3e {

machines::RosNames ros_names(const machines::Options& options) {
  machines::RosNameList names(options.text("node"), options.text("namespace"));
  for (const char* topic :
       {"joint_trajectory_controller/joint_trajectory", "scaled_joint_trajectory_controller/joint_trajectory",
        "forward_velocity_controller/commands", "forward_position_controller/commands"})
    names.hear(topic);
  if (has_gripper(options)) names.hear("hande_position_controller/commands");
  for (const char* topic :
       {"joint_states", "tcp_pose_broadcaster/pose", "force_torque_sensor_broadcaster/wrench",
        "force_torque_sensor_broadcaster/wrench_filtered", "speed_scaling_state_broadcaster/speed_scaling",
        "joint_trajectory_controller/controller_state", "scaled_joint_trajectory_controller/controller_state",
        "io_and_status_controller/io_states", "io_and_status_controller/tool_data",
        "io_and_status_controller/robot_mode", "io_and_status_controller/safety_mode",
        "io_and_status_controller/robot_program_running", "robot_description"})
    names.publish(topic);
  const std::string prefix = frame_prefix_from(options);
  for (const auto& frame : fixed_frames({}, prefix)) names.add_frame(frame.header.frame_id, frame.child_frame_id);
  for (const auto& frame : moving_frames(prefix)) names.add_frame(frame.header.frame_id, frame.child_frame_id);
  return names.take();
}

}  // namespace tandem::ur3e
