// SPDX-License-Identifier: Apache-2.0
// control_msgs: the actions that move joints, grippers and heads.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/control_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/trajectory_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::control_msgs {

struct ExecuteMotionPrimitiveSequence {
  static constexpr std::string_view type_name = "control_msgs/action/ExecuteMotionPrimitiveSequence";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/ExecuteMotionPrimitiveSequence_Goal";
    TANDEM_FIELDS(Goal, trajectory);
    MotionPrimitiveSequence trajectory;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/ExecuteMotionPrimitiveSequence_Result";
    TANDEM_FIELDS(Result, error_code, error_string);

    static constexpr std::int32_t SUCCESSFUL = 0;
    static constexpr std::int32_t INVALID_GOAL = -1;
    static constexpr std::int32_t OLD_HEADER_TIMESTAMP = -3;

    std::int32_t error_code = 0;
    std::string error_string;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/ExecuteMotionPrimitiveSequence_Feedback";
    TANDEM_FIELDS(Feedback, current_primitive_index);
    std::uint8_t current_primitive_index = 0;
  };
};

struct FollowJointTrajectory {
  static constexpr std::string_view type_name = "control_msgs/action/FollowJointTrajectory";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/FollowJointTrajectory_Goal";
    TANDEM_FIELDS(Goal, trajectory, multi_dof_trajectory, path_tolerance, component_path_tolerance, goal_tolerance,
                  component_goal_tolerance, goal_time_tolerance);
    trajectory_msgs::JointTrajectory trajectory;
    trajectory_msgs::MultiDOFJointTrajectory multi_dof_trajectory;
    std::vector<JointTolerance> path_tolerance;
    std::vector<JointComponentTolerance> component_path_tolerance;
    std::vector<JointTolerance> goal_tolerance;
    std::vector<JointComponentTolerance> component_goal_tolerance;
    builtin_interfaces::Duration goal_time_tolerance;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/FollowJointTrajectory_Result";
    TANDEM_FIELDS(Result, error_code, error_string);

    static constexpr std::int32_t SUCCESSFUL = 0;
    static constexpr std::int32_t INVALID_GOAL = -1;
    static constexpr std::int32_t INVALID_JOINTS = -2;
    static constexpr std::int32_t OLD_HEADER_TIMESTAMP = -3;
    static constexpr std::int32_t PATH_TOLERANCE_VIOLATED = -4;
    static constexpr std::int32_t GOAL_TOLERANCE_VIOLATED = -5;

    std::int32_t error_code = 0;
    std::string error_string;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/FollowJointTrajectory_Feedback";
    TANDEM_FIELDS(Feedback, header, joint_names, desired, actual, error, multi_dof_joint_names, multi_dof_desired,
                  multi_dof_actual, multi_dof_error);
    std_msgs::Header header;
    std::vector<std::string> joint_names;
    trajectory_msgs::JointTrajectoryPoint desired;
    trajectory_msgs::JointTrajectoryPoint actual;
    trajectory_msgs::JointTrajectoryPoint error;
    std::vector<std::string> multi_dof_joint_names;
    trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_desired;
    trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_actual;
    trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_error;
  };
};

// Named apart from the message of the same name.
struct GripperCommandAction {
  static constexpr std::string_view type_name = "control_msgs/action/GripperCommand";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/GripperCommand_Goal";
    TANDEM_FIELDS(Goal, command);
    GripperCommand command;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/GripperCommand_Result";
    TANDEM_FIELDS(Result, position, effort, stalled, reached_goal);
    double position = 0.0;
    double effort = 0.0;
    bool stalled = false;
    bool reached_goal = false;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/GripperCommand_Feedback";
    TANDEM_FIELDS(Feedback, position, effort, stalled, reached_goal);
    double position = 0.0;
    double effort = 0.0;
    bool stalled = false;
    bool reached_goal = false;
  };
};

struct JointTrajectory {
  static constexpr std::string_view type_name = "control_msgs/action/JointTrajectory";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/JointTrajectory_Goal";
    TANDEM_FIELDS(Goal, trajectory);
    trajectory_msgs::JointTrajectory trajectory;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/JointTrajectory_Result";
    TANDEM_FIELDS(Result);
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/JointTrajectory_Feedback";
    TANDEM_FIELDS(Feedback);
  };
};

struct ParallelGripperCommand {
  static constexpr std::string_view type_name = "control_msgs/action/ParallelGripperCommand";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/ParallelGripperCommand_Goal";
    TANDEM_FIELDS(Goal, command);
    sensor_msgs::JointState command;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/ParallelGripperCommand_Result";
    TANDEM_FIELDS(Result, state, stalled, reached_goal);
    sensor_msgs::JointState state;
    bool stalled = false;
    bool reached_goal = false;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/ParallelGripperCommand_Feedback";
    TANDEM_FIELDS(Feedback, state);
    sensor_msgs::JointState state;
  };
};

struct PointHead {
  static constexpr std::string_view type_name = "control_msgs/action/PointHead";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/PointHead_Goal";
    TANDEM_FIELDS(Goal, target, pointing_axis, pointing_frame, min_duration, max_velocity);
    geometry_msgs::PointStamped target;
    geometry_msgs::Vector3 pointing_axis;
    std::string pointing_frame;
    builtin_interfaces::Duration min_duration;
    double max_velocity = 0.0;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/PointHead_Result";
    TANDEM_FIELDS(Result);
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/PointHead_Feedback";
    TANDEM_FIELDS(Feedback, pointing_angle_error);
    double pointing_angle_error = 0.0;
  };
};

struct SingleJointPosition {
  static constexpr std::string_view type_name = "control_msgs/action/SingleJointPosition";
  struct Goal {
    static constexpr std::string_view type_name = "control_msgs/action/SingleJointPosition_Goal";
    TANDEM_FIELDS(Goal, position, min_duration, max_velocity);
    double position = 0.0;
    builtin_interfaces::Duration min_duration;
    double max_velocity = 0.0;
  };
  struct Result {
    static constexpr std::string_view type_name = "control_msgs/action/SingleJointPosition_Result";
    TANDEM_FIELDS(Result);
  };
  struct Feedback {
    static constexpr std::string_view type_name = "control_msgs/action/SingleJointPosition_Feedback";
    TANDEM_FIELDS(Feedback, header, position, velocity, error);
    std_msgs::Header header;
    double position = 0.0;
    double velocity = 0.0;
    double error = 0.0;
  };
};

using Actions = Types<ExecuteMotionPrimitiveSequence, FollowJointTrajectory, GripperCommandAction, JointTrajectory,
                      ParallelGripperCommand, PointHead, SingleJointPosition>;

}  // namespace tandem::ros2::control_msgs
