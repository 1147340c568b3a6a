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
  static constexpr auto fields() {
    return Fields{field("mass", &AdmittanceControllerState::mass),
                  field("damping", &AdmittanceControllerState::damping),
                  field("stiffness", &AdmittanceControllerState::stiffness),
                  field("rot_base_control", &AdmittanceControllerState::rot_base_control),
                  field("ref_trans_base_ft", &AdmittanceControllerState::ref_trans_base_ft),
                  field("selected_axes", &AdmittanceControllerState::selected_axes),
                  field("ft_sensor_frame", &AdmittanceControllerState::ft_sensor_frame),
                  field("admittance_position", &AdmittanceControllerState::admittance_position),
                  field("admittance_acceleration", &AdmittanceControllerState::admittance_acceleration),
                  field("admittance_velocity", &AdmittanceControllerState::admittance_velocity),
                  field("wrench_base", &AdmittanceControllerState::wrench_base),
                  field("joint_state", &AdmittanceControllerState::joint_state)};
  }
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
  bool operator==(const AdmittanceControllerState&) const = default;
};

struct BatteryStateArray {
  static constexpr std::string_view type_name = "control_msgs/msg/BatteryStateArray";
  static constexpr auto fields() { return Fields{field("battery_states", &BatteryStateArray::battery_states)}; }
  std::vector<sensor_msgs::BatteryState> battery_states;
  bool operator==(const BatteryStateArray&) const = default;
};

struct InterfaceValue {
  static constexpr std::string_view type_name = "control_msgs/msg/InterfaceValue";
  static constexpr auto fields() {
    return Fields{field("interface_names", &InterfaceValue::interface_names), field("values", &InterfaceValue::values)};
  }
  std::vector<std::string> interface_names;
  std::vector<double> values;
  bool operator==(const InterfaceValue&) const = default;
};

struct DynamicInterfaceGroupValues {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicInterfaceGroupValues";
  static constexpr auto fields() {
    return Fields{field("header", &DynamicInterfaceGroupValues::header),
                  field("interface_groups", &DynamicInterfaceGroupValues::interface_groups),
                  field("interface_values", &DynamicInterfaceGroupValues::interface_values)};
  }
  std_msgs::Header header;
  std::vector<std::string> interface_groups;
  std::vector<InterfaceValue> interface_values;
  bool operator==(const DynamicInterfaceGroupValues&) const = default;
};

struct DynamicInterfaceValues {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicInterfaceValues";
  static constexpr auto fields() {
    return Fields{field("header", &DynamicInterfaceValues::header), field("states", &DynamicInterfaceValues::states),
                  field("commands", &DynamicInterfaceValues::commands)};
  }
  std_msgs::Header header;
  InterfaceValue states;
  InterfaceValue commands;
  bool operator==(const DynamicInterfaceValues&) const = default;
};

struct DynamicJointState {
  static constexpr std::string_view type_name = "control_msgs/msg/DynamicJointState";
  static constexpr auto fields() {
    return Fields{field("header", &DynamicJointState::header), field("joint_names", &DynamicJointState::joint_names),
                  field("interface_values", &DynamicJointState::interface_values)};
  }
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<InterfaceValue> interface_values;
  bool operator==(const DynamicJointState&) const = default;
};

struct Float64Values {
  static constexpr std::string_view type_name = "control_msgs/msg/Float64Values";
  static constexpr auto fields() {
    return Fields{field("header", &Float64Values::header), field("values", &Float64Values::values)};
  }
  std_msgs::Header header;
  std::vector<double> values;
  bool operator==(const Float64Values&) const = default;
};

struct GripperCommand {
  static constexpr std::string_view type_name = "control_msgs/msg/GripperCommand";
  static constexpr auto fields() {
    return Fields{field("position", &GripperCommand::position), field("max_effort", &GripperCommand::max_effort)};
  }
  double position = 0.0;
  double max_effort = 0.0;
  bool operator==(const GripperCommand&) const = default;
};

struct JointComponentTolerance {
  static constexpr std::string_view type_name = "control_msgs/msg/JointComponentTolerance";
  static constexpr auto fields() {
    return Fields{field("joint_name", &JointComponentTolerance::joint_name),
                  field("component", &JointComponentTolerance::component),
                  field("position", &JointComponentTolerance::position),
                  field("velocity", &JointComponentTolerance::velocity),
                  field("acceleration", &JointComponentTolerance::acceleration)};
  }
  std::string joint_name;
  std::uint16_t component = 0;
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  bool operator==(const JointComponentTolerance&) const = default;
};

struct JointControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/JointControllerState";
  static constexpr auto fields() {
    return Fields{field("header", &JointControllerState::header),
                  field("set_point", &JointControllerState::set_point),
                  field("process_value", &JointControllerState::process_value),
                  field("process_value_dot", &JointControllerState::process_value_dot),
                  field("error", &JointControllerState::error),
                  field("time_step", &JointControllerState::time_step),
                  field("command", &JointControllerState::command),
                  field("p", &JointControllerState::p),
                  field("i", &JointControllerState::i),
                  field("d", &JointControllerState::d),
                  field("i_clamp", &JointControllerState::i_clamp),
                  field("antiwindup", &JointControllerState::antiwindup)};
  }
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
  bool operator==(const JointControllerState&) const = default;
};

struct JointJog {
  static constexpr std::string_view type_name = "control_msgs/msg/JointJog";
  static constexpr auto fields() {
    return Fields{field("header", &JointJog::header), field("joint_names", &JointJog::joint_names),
                  field("displacements", &JointJog::displacements), field("velocities", &JointJog::velocities),
                  field("duration", &JointJog::duration)};
  }
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<double> displacements;
  std::vector<double> velocities;
  double duration = 0.0;
  bool operator==(const JointJog&) const = default;
};

struct JointTolerance {
  static constexpr std::string_view type_name = "control_msgs/msg/JointTolerance";
  static constexpr auto fields() {
    return Fields{field("name", &JointTolerance::name), field("position", &JointTolerance::position),
                  field("velocity", &JointTolerance::velocity), field("acceleration", &JointTolerance::acceleration)};
  }
  std::string name;
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  bool operator==(const JointTolerance&) const = default;
};

struct JointTrajectoryControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/JointTrajectoryControllerState";
  static constexpr auto fields() {
    return Fields{field("header", &JointTrajectoryControllerState::header),
                  field("joint_names", &JointTrajectoryControllerState::joint_names),
                  field("reference", &JointTrajectoryControllerState::reference),
                  field("feedback", &JointTrajectoryControllerState::feedback),
                  field("error", &JointTrajectoryControllerState::error),
                  field("output", &JointTrajectoryControllerState::output),
                  field("multi_dof_joint_names", &JointTrajectoryControllerState::multi_dof_joint_names),
                  field("multi_dof_reference", &JointTrajectoryControllerState::multi_dof_reference),
                  field("multi_dof_feedback", &JointTrajectoryControllerState::multi_dof_feedback),
                  field("multi_dof_error", &JointTrajectoryControllerState::multi_dof_error),
                  field("multi_dof_output", &JointTrajectoryControllerState::multi_dof_output),
                  field("speed_scaling_factor", &JointTrajectoryControllerState::speed_scaling_factor)};
  }
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
  bool operator==(const JointTrajectoryControllerState&) const = default;
};

struct Keys {
  static constexpr std::string_view type_name = "control_msgs/msg/Keys";
  static constexpr auto fields() { return Fields{field("header", &Keys::header), field("keys", &Keys::keys)}; }
  std_msgs::Header header;
  std::vector<std::string> keys;
  bool operator==(const Keys&) const = default;
};

struct MecanumDriveControllerState {
  static constexpr std::string_view type_name = "control_msgs/msg/MecanumDriveControllerState";
  static constexpr auto fields() {
    return Fields{field("header", &MecanumDriveControllerState::header),
                  field("front_left_wheel_velocity", &MecanumDriveControllerState::front_left_wheel_velocity),
                  field("back_left_wheel_velocity", &MecanumDriveControllerState::back_left_wheel_velocity),
                  field("back_right_wheel_velocity", &MecanumDriveControllerState::back_right_wheel_velocity),
                  field("front_right_wheel_velocity", &MecanumDriveControllerState::front_right_wheel_velocity),
                  field("reference_velocity", &MecanumDriveControllerState::reference_velocity)};
  }
  std_msgs::Header header;
  double front_left_wheel_velocity = 0.0;
  double back_left_wheel_velocity = 0.0;
  double back_right_wheel_velocity = 0.0;
  double front_right_wheel_velocity = 0.0;
  geometry_msgs::Twist reference_velocity;
  bool operator==(const MecanumDriveControllerState&) const = default;
};

struct MotionArgument {
  static constexpr std::string_view type_name = "control_msgs/msg/MotionArgument";
  static constexpr auto fields() {
    return Fields{field("name", &MotionArgument::name), field("value", &MotionArgument::value)};
  }
  std::string name;
  double value = 0.0;
  bool operator==(const MotionArgument&) const = default;
};

struct MotionPrimitive {
  static constexpr std::string_view type_name = "control_msgs/msg/MotionPrimitive";
  static constexpr auto fields() {
    return Fields{field("type", &MotionPrimitive::type, -1.0), field("blend_radius", &MotionPrimitive::blend_radius),
                  field("additional_arguments", &MotionPrimitive::additional_arguments),
                  field("poses", &MotionPrimitive::poses), field("joint_positions", &MotionPrimitive::joint_positions)};
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
  static constexpr auto fields() { return Fields{field("motions", &MotionPrimitiveSequence::motions)}; }
  std::vector<MotionPrimitive> motions;
  bool operator==(const MotionPrimitiveSequence&) const = default;
};

struct MultiDOFCommand {
  static constexpr std::string_view type_name = "control_msgs/msg/MultiDOFCommand";
  static constexpr auto fields() {
    return Fields{field("dof_names", &MultiDOFCommand::dof_names), field("values", &MultiDOFCommand::values),
                  field("values_dot", &MultiDOFCommand::values_dot)};
  }
  std::vector<std::string> dof_names;
  std::vector<double> values;
  std::vector<double> values_dot;
  bool operator==(const MultiDOFCommand&) const = default;
};

struct SingleDOFState {
  static constexpr std::string_view type_name = "control_msgs/msg/SingleDOFState";
  static constexpr auto fields() {
    return Fields{field("name", &SingleDOFState::name),           field("reference", &SingleDOFState::reference),
                  field("feedback", &SingleDOFState::feedback),   field("feedback_dot", &SingleDOFState::feedback_dot),
                  field("error", &SingleDOFState::error),         field("error_dot", &SingleDOFState::error_dot),
                  field("time_step", &SingleDOFState::time_step), field("output", &SingleDOFState::output)};
  }
  std::string name;
  double reference = 0.0;
  double feedback = 0.0;
  double feedback_dot = 0.0;
  double error = 0.0;
  double error_dot = 0.0;
  double time_step = 0.0;
  double output = 0.0;
  bool operator==(const SingleDOFState&) const = default;
};

struct MultiDOFStateStamped {
  static constexpr std::string_view type_name = "control_msgs/msg/MultiDOFStateStamped";
  static constexpr auto fields() {
    return Fields{field("header", &MultiDOFStateStamped::header),
                  field("dof_states", &MultiDOFStateStamped::dof_states)};
  }
  std_msgs::Header header;
  std::vector<SingleDOFState> dof_states;
  bool operator==(const MultiDOFStateStamped&) const = default;
};

struct PidState {
  static constexpr std::string_view type_name = "control_msgs/msg/PidState";
  static constexpr auto fields() {
    return Fields{field("header", &PidState::header),   field("timestep", &PidState::timestep),
                  field("error", &PidState::error),     field("error_dot", &PidState::error_dot),
                  field("p_error", &PidState::p_error), field("i_error", &PidState::i_error),
                  field("d_error", &PidState::d_error), field("p_term", &PidState::p_term),
                  field("i_term", &PidState::i_term),   field("d_term", &PidState::d_term),
                  field("i_max", &PidState::i_max),     field("i_min", &PidState::i_min),
                  field("output", &PidState::output)};
  }
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
  bool operator==(const PidState&) const = default;
};

struct SingleDOFStateStamped {
  static constexpr std::string_view type_name = "control_msgs/msg/SingleDOFStateStamped";
  static constexpr auto fields() {
    return Fields{field("header", &SingleDOFStateStamped::header),
                  field("dof_state", &SingleDOFStateStamped::dof_state)};
  }
  std_msgs::Header header;
  SingleDOFState dof_state;
  bool operator==(const SingleDOFStateStamped&) const = default;
};

struct SpeedScalingFactor {
  static constexpr std::string_view type_name = "control_msgs/msg/SpeedScalingFactor";
  static constexpr auto fields() { return Fields{field("factor", &SpeedScalingFactor::factor)}; }
  double factor = 0.0;
  bool operator==(const SpeedScalingFactor&) const = default;
};

struct SteeringControllerStatus {
  static constexpr std::string_view type_name = "control_msgs/msg/SteeringControllerStatus";
  static constexpr auto fields() {
    return Fields{field("header", &SteeringControllerStatus::header),
                  field("traction_wheels_position", &SteeringControllerStatus::traction_wheels_position),
                  field("traction_wheels_velocity", &SteeringControllerStatus::traction_wheels_velocity),
                  field("steer_positions", &SteeringControllerStatus::steer_positions),
                  field("linear_velocity_command", &SteeringControllerStatus::linear_velocity_command),
                  field("steering_angle_command", &SteeringControllerStatus::steering_angle_command)};
  }
  std_msgs::Header header;
  std::vector<double> traction_wheels_position;
  std::vector<double> traction_wheels_velocity;
  std::vector<double> steer_positions;
  std::vector<double> linear_velocity_command;
  std::vector<double> steering_angle_command;
  bool operator==(const SteeringControllerStatus&) const = default;
};

struct VDA5050SafetyState {
  static constexpr std::string_view type_name = "control_msgs/msg/VDA5050SafetyState";
  static constexpr auto fields() {
    return Fields{field("e_stop", &VDA5050SafetyState::e_stop),
                  field("field_violation", &VDA5050SafetyState::field_violation)};
  }
  std::string e_stop;
  bool field_violation = false;
  bool operator==(const VDA5050SafetyState&) const = default;
};

struct QueryCalibrationState {
  static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryCalibrationState_Response";
    static constexpr auto fields() { return Fields{field("is_calibrated", &Response::is_calibrated)}; }
    bool is_calibrated = false;
    bool operator==(const Response&) const = default;
  };
};

struct QueryTrajectoryState {
  static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState_Request";
    static constexpr auto fields() { return Fields{field("time", &Request::time)}; }
    builtin_interfaces::Time time;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/QueryTrajectoryState_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success),   field("message", &Response::message),
                    field("name", &Response::name),         field("position", &Response::position),
                    field("velocity", &Response::velocity), field("acceleration", &Response::acceleration)};
    }
    bool success = false;
    std::string message;
    std::vector<std::string> name;
    std::vector<double> position;
    std::vector<double> velocity;
    std::vector<double> acceleration;
    bool operator==(const Response&) const = default;
  };
};

struct SetOdometry {
  static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry";
  struct Request {
    static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry_Request";
    static constexpr auto fields() {
      return Fields{field("x", &Request::x),       field("y", &Request::y),         field("z", &Request::z),
                    field("roll", &Request::roll), field("pitch", &Request::pitch), field("yaw", &Request::yaw)};
    }
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double roll = 0.0;
    double pitch = 0.0;
    double yaw = 0.0;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "control_msgs/srv/SetOdometry_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("message", &Response::message)};
    }
    bool success = false;
    std::string message;
    bool operator==(const Response&) const = default;
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
