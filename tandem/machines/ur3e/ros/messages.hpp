// SPDX-License-Identifier: Apache-2.0
// The UR3e's state as the messages that users of ur_robot_driver know. Pure: a state in, fields filled. Vectors and
// names keep their room, so that a warm cycle allocates nothing. `prefix` goes before the names of joints and frames,
// for a cell with several arms; one message always has the same.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/ur3e/state.hpp"
#include "tandem/ros2/messages/control_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs.hpp"
#include "tandem/ros2/messages/ur_msgs.hpp"

namespace tandem::ur3e {

using Stamp = ros2::builtin_interfaces::Time;

inline constexpr const char* tcp_frame = "tool0_controller";  // the tool centre point as the controller has it

// Six joints, and the two fingers while the gripper answers. Efforts in N m by our own torque constants; those of the
// fingers in N.
void fill(ros2::sensor_msgs::JointState& message, const State& state, const Stamp& stamp, std::string_view prefix = "");
// The tool centre point in the frame `base`.
void fill(ros2::geometry_msgs::PoseStamped& message, const State& state, const Stamp& stamp,
          std::string_view prefix = "");
// On the tool, in its own axes; the controller reports it in those of `base`.
void fill(ros2::geometry_msgs::WrenchStamped& message, const State& state, const Stamp& stamp,
          std::string_view prefix = "");
// Follows the wrench as a low pass of first order does, `step` seconds after the one before; the first is taken as it
// is.
void smooth(ros2::geometry_msgs::WrenchStamped& filtered, const ros2::geometry_msgs::WrenchStamped& wrench,
            double step);
void fill(ros2::control_msgs::JointTrajectoryControllerState& message, const State& state, const Stamp& stamp,
          std::string_view prefix = "");
void fill(ros2::ur_msgs::IOStates& message, const State& state);
void fill(ros2::ur_msgs::ToolDataMsg& message, const State& state);
ros2::ur_dashboard_msgs::RobotMode robot_mode_from(const State& state);
ros2::ur_dashboard_msgs::SafetyMode safety_mode_from(const State& state);
bool program_runs(const State& state);

// Where the joints should be, where they are, and the difference.
void fill_progress(ros2::trajectory_msgs::JointTrajectoryPoint& desired,
                   ros2::trajectory_msgs::JointTrajectoryPoint& actual,
                   ros2::trajectory_msgs::JointTrajectoryPoint& error, const State& state);
std::vector<std::string> joint_name_list(std::string_view prefix = "");

// Frames that move: six links, the tool centre point, and the fingers while the gripper answers. Returns how many.
using MovingFrames = std::array<ros2::geometry_msgs::TransformStamped, 9>;
MovingFrames moving_frames(std::string_view prefix = "");
std::size_t fill(MovingFrames& frames, const State& state, const Stamp& stamp);
// And those that do not.
std::vector<ros2::geometry_msgs::TransformStamped> fixed_frames(UtcTime stamp, std::string_view prefix = "");

}  // namespace tandem::ur3e
