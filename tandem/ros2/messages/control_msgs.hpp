// SPDX-License-Identifier: Apache-2.0
// control_msgs: commands and states of joint controllers.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/trajectory_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::control_msgs {

struct AdmittanceControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/AdmittanceControllerState";
  TANDEM_FIELDS(AdmittanceControllerState, mass, damping, stiffness, rot_base_control, ref_trans_base_ft, selected_axes,
                ft_sensor_frame, admittance_position, admittance_acceleration, admittance_velocity, wrench_base,
                joint_state);
  std_msgs::Float64MultiArray mass;
  std_msgs::Float64MultiArray damping;
  std_msgs::Float64MultiArray stiffness;
  geometry_msgs::Quaternion rot_base_control;
  geometry_msgs::TransformStamped ref_trans_base_ft;
  std_msgs::Int8MultiArray selected_axes;
  std_msgs::String ft_sensor_frame;
  geometry_msgs::TransformStamped admittance_position;
  geometry_msgs::TwistStamped admittance_acceleration;
  geometry_msgs::TwistStamped admittance_velocity;
  geometry_msgs::WrenchStamped wrench_base;
  sensor_msgs::JointState joint_state;
};

struct BatteryStateArray {
  static constexpr std::string_view type_name = "control_msgs/msg/BatteryStateArray";
  TANDEM_FIELDS(BatteryStateArray, battery_states);
  std::vector<sensor_msgs::BatteryState> battery_states;
};

struct InterfaceValue {
  static constexpr std::string_view type_name = "control_msgs/msg/InterfaceValue";
  TANDEM_FIELDS(InterfaceValue, interface_names, values);
  std::vector<std::string> interface_names;
  std::vector<double> values;
};

struct DynamicInterfaceGroupValues {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicInterfaceGroupValues";
  TANDEM_FIELDS(DynamicInterfaceGroupValues, header, interface_groups, interface_values);
  std_msgs::Header header;
  std::vector<std::string> interface_groups;
  std::vector<InterfaceValue> interface_values;
};

struct DynamicInterfaceValues {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicInterfaceValues";
  TANDEM_FIELDS(DynamicInterfaceValues, header, states, commands);
  std_msgs::Header header;
  InterfaceValue states;
  InterfaceValue commands;
};

struct DynamicJointState {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicJointState";
  TANDEM_FIELDS(DynamicJointState, header, joint_names, interface_values);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<InterfaceValue> interface_values;
};

struct Float64Values {
  static constexpr std::string_view type_name = "control_msgs/msg/Float64Values";
  TANDEM_FIELDS(Float64Values, header, values);
  std_msgs::Header header;
  std::vector<double> values;
};

struct GripperCommand {
  static constexpr std::string_view type_name = "control_msgs/msg/GripperCommand";
  TANDEM_FIELDS(GripperCommand, position, max_effort);
  double position = 0.0;
  double max_effort = 0.0;
};

struct JointComponentTolerance {
  static constexpr std::string_view type_name = "control_msgs/msg/JointComponentTolerance";
  TANDEM_FIELDS(JointComponentTolerance, joint_name, component, position, velocity, acceleration);
  std::string joint_name;
  std::uint16_t component = 0;
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct JointControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/JointControllerState";
  TANDEM_FIELDS(JointControllerState, header, set_point, process_value, process_value_dot, error, time_step, command, p,
                i, d, i_clamp, antiwindup);
  std_msgs::Header header;
  double set_point = 0.0;
  double process_value = 0.0;
  double process_value_dot = 0.0;
  double error = 0.0;
  double time_step = 0.0;
  double command = 0.0;
  double p = 0.0;
  double i = 0.0;
  double d = 0.0;
  double i_clamp = 0.0;
  bool antiwindup = false;
};

struct JointJog {
  static constexpr std::string_view type_name = "control_msgs/msg/JointJog";
  TANDEM_FIELDS(JointJog, header, joint_names, displacements, velocities, duration);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<double> displacements;
  std::vector<double> velocities;
  double duration = 0.0;
};

struct JointTolerance {
  static constexpr std::string_view type_name = "control_msgs/msg/JointTolerance";
  TANDEM_FIELDS(JointTolerance, name, position, velocity, acceleration);
  std::string name;
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct JointTrajectoryControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/JointTrajectoryControllerState";
  TANDEM_FIELDS(JointTrajectoryControllerState, header, joint_names, reference, feedback, error, output,
                multi_dof_joint_names, multi_dof_reference, multi_dof_feedback, multi_dof_error, multi_dof_output,
                speed_scaling_factor);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  trajectory_msgs::JointTrajectoryPoint reference;
  trajectory_msgs::JointTrajectoryPoint feedback;
  trajectory_msgs::JointTrajectoryPoint error;
  trajectory_msgs::JointTrajectoryPoint output;
  std::vector<std::string> multi_dof_joint_names;
  trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_reference;
  trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_feedback;
  trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_error;
  trajectory_msgs::MultiDOFJointTrajectoryPoint multi_dof_output;
  double speed_scaling_factor = 0.0;
};

struct Keys {
  static constexpr std::string_view type_name = "control_msgs/msg/Keys";
  TANDEM_FIELDS(Keys, header, keys);
  std_msgs::Header header;
  std::vector<std::string> keys;
};

struct MecanumDriveControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/MecanumDriveControllerState";
  TANDEM_FIELDS(MecanumDriveControllerState, header, front_left_wheel_velocity, back_left_wheel_velocity,
                back_right_wheel_velocity, front_right_wheel_velocity, reference_velocity);
  std_msgs::Header header;
  double front_left_wheel_velocity = 0.0;
  double back_left_wheel_velocity = 0.0;
  double back_right_wheel_velocity = 0.0;
  double front_right_wheel_velocity = 0.0;
  geometry_msgs::Twist reference_velocity;
};

struct MotionArgument {
  static constexpr std::string_view type_name = "control_msgs/msg/MotionArgument";
  TANDEM_FIELDS(MotionArgument, name, value);
  std::string name;
  double value = 0.0;
};

struct MotionPrimitive {
  static constexpr std::string_view type_name = "control_msgs/msg/MotionPrimitive";
  static constexpr auto fields() {
    return Fields{field("type", &MotionPrimitive::type, -1.0),
                  TANDEM_EACH(field, MotionPrimitive, blend_radius, additional_arguments, poses, joint_positions)};
  }

  static constexpr std::int8_t UNKNOWN = -1;
  static constexpr std::int8_t LINEAR_JOINT = 0;
  static constexpr std::int8_t LINEAR_CARTESIAN = 50;
  static constexpr std::int8_t CIRCULAR_CARTESIAN = 51;

  std::int8_t type = UNKNOWN;
  double blend_radius = 0.0;
  std::vector<MotionArgument> additional_arguments;
  std::vector<geometry_msgs::PoseStamped> poses;
  std::vector<double> joint_positions;
  bool operator==(const MotionPrimitive&) const = default;
};

struct MotionPrimitiveSequence {
  static constexpr std::string_view type_name = "control_msgs/msg/MotionPrimitiveSequence";
  TANDEM_FIELDS(MotionPrimitiveSequence, motions);
  std::vector<MotionPrimitive> motions;
};

struct MultiDOFCommand {
  static constexpr std::string_view type_name = "control_msgs/msg/MultiDOFCommand";
  TANDEM_FIELDS(MultiDOFCommand, dof_names, values, values_dot);
  std::vector<std::string> dof_names;
  std::vector<double> values;
  std::vector<double> values_dot;
};

struct SingleDOFState {
  static constexpr std::string_view type_name = "control_msgs/msg/SingleDOFState";
  TANDEM_FIELDS(SingleDOFState, name, reference, feedback, feedback_dot, error, error_dot, time_step, output);
  std::string name;
  double reference = 0.0;
  double feedback = 0.0;
  double feedback_dot = 0.0;
  double error = 0.0;
  double error_dot = 0.0;
  double time_step = 0.0;
  double output = 0.0;
};

struct MultiDOFStateStamped {
  static constexpr std::string_view type_name = "control_msgs/msg/MultiDOFStateStamped";
  TANDEM_FIELDS(MultiDOFStateStamped, header, dof_states);
  std_msgs::Header header;
  std::vector<SingleDOFState> dof_states;
};

struct PidState {
  static constexpr std::string_view type_name = "control_msgs/msg/PidState";
  TANDEM_FIELDS(PidState, header, timestep, error, error_dot, p_error, i_error, d_error, p_term, i_term, d_term, i_max,
                i_min, output);
  std_msgs::Header header;
  builtin_interfaces::Duration timestep;
  double error = 0.0;
  double error_dot = 0.0;
  double p_error = 0.0;
  double i_error = 0.0;
  double d_error = 0.0;
  double p_term = 0.0;
  double i_term = 0.0;
  double d_term = 0.0;
  double i_max = 0.0;
  double i_min = 0.0;
  double output = 0.0;
};

struct SingleDOFStateStamped {
  static constexpr std::string_view type_name = "control_msgs/msg/SingleDOFStateStamped";
  TANDEM_FIELDS(SingleDOFStateStamped, header, dof_state);
  std_msgs::Header header;
  SingleDOFState dof_state;
};

struct SpeedScalingFactor {
  static constexpr std::string_view type_name = "control_msgs/msg/SpeedScalingFactor";
  TANDEM_FIELDS(SpeedScalingFactor, factor);
  double factor = 0.0;
};

struct SteeringControllerStatus {
  static constexpr std::string_view type_name = "control_msgs/msg/SteeringControllerStatus";
  TANDEM_FIELDS(SteeringControllerStatus, header, traction_wheels_position, traction_wheels_velocity, steer_positions,
                linear_velocity_command, steering_angle_command);
  std_msgs::Header header;
  std::vector<double> traction_wheels_position;
  std::vector<double> traction_wheels_velocity;
  std::vector<double> steer_positions;
  std::vector<double> linear_velocity_command;
  std::vector<double> steering_angle_command;
};

struct VDA5050SafetyState {
  static constexpr std::string_view type_name = "control_msgs/msg/VDA5050SafetyState";
  TANDEM_FIELDS(VDA5050SafetyState, e_stop, field_violation);
  std::string e_stop;
  bool field_violation = false;
};

struct QueryCalibrationState {
  static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState_Response";
    TANDEM_FIELDS(Response, is_calibrated);
    bool is_calibrated = false;
  };
};

struct QueryTrajectoryState {
  static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState_Request";
    TANDEM_FIELDS(Request, time);
    builtin_interfaces::Time time;
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState_Response";
    TANDEM_FIELDS(Response, success, message, name, position, velocity, acceleration);
    bool success = false;
    std::string message;
    std::vector<std::string> name;
    std::vector<double> position;
    std::vector<double> velocity;
    std::vector<double> acceleration;
  };
};

struct SetOdometry {
  static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry_Request";
    TANDEM_FIELDS(Request, x, y, z, roll, pitch, yaw);
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double roll = 0.0;
    double pitch = 0.0;
    double yaw = 0.0;
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry_Response";
    TANDEM_FIELDS(Response, success, message);
    bool success = false;
    std::string message;
  };
};

using Messages =
    Types<AdmittanceControllerState, BatteryStateArray, DynamicInterfaceGroupValues, DynamicInterfaceValues,
          DynamicJointState, Float64Values, GripperCommand, InterfaceValue, JointComponentTolerance,
          JointControllerState, JointJog, JointTolerance, JointTrajectoryControllerState, Keys,
          MecanumDriveControllerState, MotionArgument, MotionPrimitive, MotionPrimitiveSequence, MultiDOFCommand,
          MultiDOFStateStamped, PidState, SingleDOFState, SingleDOFStateStamped, SpeedScalingFactor,
          SteeringControllerStatus, VDA5050SafetyState>;
using Services = Types<QueryCalibrationState, QueryTrajectoryState, SetOdometry>;

}  // namespace tandem::ros2::control_msgs
