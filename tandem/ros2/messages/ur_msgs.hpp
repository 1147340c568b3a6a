// SPDX-License-Identifier: Apache-2.0
// ur_msgs: inputs, outputs and states of a Universal Robots arm.
#pragma once

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::ur_msgs {

struct Analog {
  static constexpr std::string_view type_name = "ur_msgs/msg/Analog";
  TANDEM_FIELDS(Analog, pin, domain, state);

  static constexpr std::uint8_t CURRENT = 0;
  static constexpr std::uint8_t VOLTAGE = 1;

  std::uint8_t pin = 0;
  std::uint8_t domain = 0;
  float state = 0.0F;
};

struct Digital {
  static constexpr std::string_view type_name = "ur_msgs/msg/Digital";
  TANDEM_FIELDS(Digital, pin, state);
  std::uint8_t pin = 0;
  bool state = false;
};

struct IOStates {
  static constexpr std::string_view type_name = "ur_msgs/msg/IOStates";
  TANDEM_FIELDS(IOStates, digital_in_states, digital_out_states, flag_states, analog_in_states, analog_out_states);
  std::vector<Digital> digital_in_states;
  std::vector<Digital> digital_out_states;
  std::vector<Digital> flag_states;
  std::vector<Analog> analog_in_states;
  std::vector<Analog> analog_out_states;
};

struct MasterboardDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/MasterboardDataMsg";
  TANDEM_FIELDS(MasterboardDataMsg, digital_input_bits, digital_output_bits, analog_input_range0, analog_input_range1,
                analog_input0, analog_input1, analog_output_domain0, analog_output_domain1, analog_output0,
                analog_output1, masterboard_temperature, robot_voltage_48v, robot_current, master_io_current,
                master_safety_state, master_onoff_state);
  std::uint32_t digital_input_bits = 0;
  std::uint32_t digital_output_bits = 0;
  std::int8_t analog_input_range0 = 0;
  std::int8_t analog_input_range1 = 0;
  double analog_input0 = 0.0;
  double analog_input1 = 0.0;
  std::int8_t analog_output_domain0 = 0;
  std::int8_t analog_output_domain1 = 0;
  double analog_output0 = 0.0;
  double analog_output1 = 0.0;
  float masterboard_temperature = 0.0F;
  float robot_voltage_48v = 0.0F;
  float robot_current = 0.0F;
  float master_io_current = 0.0F;
  std::uint8_t master_safety_state = 0;
  std::uint8_t master_onoff_state = 0;
};

struct RobotModeDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/RobotModeDataMsg";
  TANDEM_FIELDS(RobotModeDataMsg, timestamp, is_robot_connected, is_real_robot_enabled, is_power_on_robot,
                is_emergency_stopped, is_protective_stopped, is_program_running, is_program_paused);
  std::uint64_t timestamp = 0;
  bool is_robot_connected = false;
  bool is_real_robot_enabled = false;
  bool is_power_on_robot = false;
  bool is_emergency_stopped = false;
  bool is_protective_stopped = false;
  bool is_program_running = false;
  bool is_program_paused = false;
};

struct RobotStateRTMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/RobotStateRTMsg";
  TANDEM_FIELDS(RobotStateRTMsg, time, q_target, qd_target, qdd_target, i_target, m_target, q_actual, qd_actual,
                i_actual, tool_acc_values, tcp_force, tool_vector, tcp_speed, digital_input_bits, motor_temperatures,
                controller_timer, test_value, robot_mode, joint_modes);
  double time = 0.0;
  std::vector<double> q_target;
  std::vector<double> qd_target;
  std::vector<double> qdd_target;
  std::vector<double> i_target;
  std::vector<double> m_target;
  std::vector<double> q_actual;
  std::vector<double> qd_actual;
  std::vector<double> i_actual;
  std::vector<double> tool_acc_values;
  std::vector<double> tcp_force;
  std::vector<double> tool_vector;
  std::vector<double> tcp_speed;
  double digital_input_bits = 0.0;
  std::vector<double> motor_temperatures;
  double controller_timer = 0.0;
  double test_value = 0.0;
  double robot_mode = 0.0;
  std::vector<double> joint_modes;
};

struct ToolDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/ToolDataMsg";
  TANDEM_FIELDS(ToolDataMsg, analog_input_range2, analog_input_range3, analog_input2, analog_input3, tool_voltage_48v,
                tool_output_voltage, tool_current, tool_temperature, tool_mode);

  static constexpr std::int8_t ANALOG_INPUT_RANGE_CURRENT = 0;
  static constexpr std::int8_t ANALOG_INPUT_RANGE_VOLTAGE = 1;
  static constexpr std::uint8_t TOOL_BOOTLOADER_MODE = 249;
  static constexpr std::uint8_t TOOL_RUNNING_MODE = 253;
  static constexpr std::uint8_t TOOL_IDLE_MODE = 255;

  std::int8_t analog_input_range2 = 0;
  std::int8_t analog_input_range3 = 0;
  double analog_input2 = 0.0;
  double analog_input3 = 0.0;
  float tool_voltage_48v = 0.0F;
  std::uint8_t tool_output_voltage = 0;
  float tool_current = 0.0F;
  float tool_temperature = 0.0F;
  std::uint8_t tool_mode = 0;
};

struct SetIO {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetIO";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetIO_Request";
    TANDEM_FIELDS(Request, fun, pin, state);

    static constexpr std::int8_t PIN_AOUT0 = 0;
    static constexpr std::int8_t PIN_AOUT1 = 1;
    static constexpr std::int8_t PIN_DOUT0 = 0;
    static constexpr std::int8_t PIN_DOUT1 = 1;
    static constexpr std::int8_t PIN_DOUT2 = 2;
    static constexpr std::int8_t PIN_DOUT3 = 3;
    static constexpr std::int8_t PIN_DOUT4 = 4;
    static constexpr std::int8_t PIN_DOUT5 = 5;
    static constexpr std::int8_t PIN_DOUT6 = 6;
    static constexpr std::int8_t PIN_DOUT7 = 7;
    static constexpr std::int8_t PIN_CONF_OUT0 = 8;
    static constexpr std::int8_t PIN_CONF_OUT1 = 9;
    static constexpr std::int8_t PIN_CONF_OUT2 = 10;
    static constexpr std::int8_t PIN_CONF_OUT3 = 11;
    static constexpr std::int8_t PIN_CONF_OUT4 = 12;
    static constexpr std::int8_t PIN_CONF_OUT5 = 13;
    static constexpr std::int8_t PIN_CONF_OUT6 = 14;
    static constexpr std::int8_t PIN_CONF_OUT7 = 15;
    static constexpr std::int8_t PIN_TOOL_DOUT0 = 16;
    static constexpr std::int8_t PIN_TOOL_DOUT1 = 17;
    static constexpr std::int8_t FUN_SET_DIGITAL_OUT = 1;
    static constexpr std::int8_t FUN_SET_FLAG = 2;
    static constexpr std::int8_t FUN_SET_ANALOG_OUT = 3;
    static constexpr std::int8_t FUN_SET_TOOL_VOLTAGE = 4;

    std::int8_t fun = 0;
    std::int8_t pin = 0;
    float state = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetIO_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct SetPayload {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload_Request";
    TANDEM_FIELDS(Request, mass, center_of_gravity);
    float mass = 0.0F;
    geometry_msgs::Vector3 center_of_gravity;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct SetSpeedSliderFraction {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction_Request";
    TANDEM_FIELDS(Request, speed_slider_fraction);
    double speed_slider_fraction = 0.0;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

using Messages = Types<Analog, Digital, IOStates, MasterboardDataMsg, RobotModeDataMsg, RobotStateRTMsg, ToolDataMsg>;
using Services = Types<SetIO, SetPayload, SetSpeedSliderFraction>;
using Actions = Types<>;

}  // namespace tandem::ros2::ur_msgs
