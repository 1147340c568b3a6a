// ur_msgs: inputs, outputs and states of a Universal Robots arm.
#pragma once

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::ur_msgs {

struct Analog {
  static constexpr std::string_view type_name = "ur_msgs/msg/Analog";
  static constexpr auto fields() {
    return Fields{field("pin", &Analog::pin), field("domain", &Analog::domain), field("state", &Analog::state)};
  }

  static constexpr std::uint8_t CURRENT = 0;
  static constexpr std::uint8_t VOLTAGE = 1;

  std::uint8_t pin = 0;
  std::uint8_t domain = 0;
  float state = 0.0F;
  bool operator==(const Analog&) const = default;
};

struct Digital {
  static constexpr std::string_view type_name = "ur_msgs/msg/Digital";
  static constexpr auto fields() { return Fields{field("pin", &Digital::pin), field("state", &Digital::state)}; }
  std::uint8_t pin = 0;
  bool state = false;
  bool operator==(const Digital&) const = default;
};

struct IOStates {
  static constexpr std::string_view type_name = "ur_msgs/msg/IOStates";
  static constexpr auto fields() {
    return Fields{field("digital_in_states", &IOStates::digital_in_states),
                  field("digital_out_states", &IOStates::digital_out_states),
                  field("flag_states", &IOStates::flag_states), field("analog_in_states", &IOStates::analog_in_states),
                  field("analog_out_states", &IOStates::analog_out_states)};
  }
  std::vector<Digital> digital_in_states;
  std::vector<Digital> digital_out_states;
  std::vector<Digital> flag_states;
  std::vector<Analog> analog_in_states;
  std::vector<Analog> analog_out_states;
  bool operator==(const IOStates&) const = default;
};

struct MasterboardDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/MasterboardDataMsg";
  static constexpr auto fields() {
    return Fields{field("digital_input_bits", &MasterboardDataMsg::digital_input_bits),
                  field("digital_output_bits", &MasterboardDataMsg::digital_output_bits),
                  field("analog_input_range0", &MasterboardDataMsg::analog_input_range0),
                  field("analog_input_range1", &MasterboardDataMsg::analog_input_range1),
                  field("analog_input0", &MasterboardDataMsg::analog_input0),
                  field("analog_input1", &MasterboardDataMsg::analog_input1),
                  field("analog_output_domain0", &MasterboardDataMsg::analog_output_domain0),
                  field("analog_output_domain1", &MasterboardDataMsg::analog_output_domain1),
                  field("analog_output0", &MasterboardDataMsg::analog_output0),
                  field("analog_output1", &MasterboardDataMsg::analog_output1),
                  field("masterboard_temperature", &MasterboardDataMsg::masterboard_temperature),
                  field("robot_voltage_48v", &MasterboardDataMsg::robot_voltage_48v),
                  field("robot_current", &MasterboardDataMsg::robot_current),
                  field("master_io_current", &MasterboardDataMsg::master_io_current),
                  field("master_safety_state", &MasterboardDataMsg::master_safety_state),
                  field("master_onoff_state", &MasterboardDataMsg::master_onoff_state)};
  }
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
  bool operator==(const MasterboardDataMsg&) const = default;
};

struct RobotModeDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/RobotModeDataMsg";
  static constexpr auto fields() {
    return Fields{field("timestamp", &RobotModeDataMsg::timestamp),
                  field("is_robot_connected", &RobotModeDataMsg::is_robot_connected),
                  field("is_real_robot_enabled", &RobotModeDataMsg::is_real_robot_enabled),
                  field("is_power_on_robot", &RobotModeDataMsg::is_power_on_robot),
                  field("is_emergency_stopped", &RobotModeDataMsg::is_emergency_stopped),
                  field("is_protective_stopped", &RobotModeDataMsg::is_protective_stopped),
                  field("is_program_running", &RobotModeDataMsg::is_program_running),
                  field("is_program_paused", &RobotModeDataMsg::is_program_paused)};
  }
  std::uint64_t timestamp = 0;
  bool is_robot_connected = false;
  bool is_real_robot_enabled = false;
  bool is_power_on_robot = false;
  bool is_emergency_stopped = false;
  bool is_protective_stopped = false;
  bool is_program_running = false;
  bool is_program_paused = false;
  bool operator==(const RobotModeDataMsg&) const = default;
};

struct RobotStateRTMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/RobotStateRTMsg";
  static constexpr auto fields() {
    return Fields{field("time", &RobotStateRTMsg::time),
                  field("q_target", &RobotStateRTMsg::q_target),
                  field("qd_target", &RobotStateRTMsg::qd_target),
                  field("qdd_target", &RobotStateRTMsg::qdd_target),
                  field("i_target", &RobotStateRTMsg::i_target),
                  field("m_target", &RobotStateRTMsg::m_target),
                  field("q_actual", &RobotStateRTMsg::q_actual),
                  field("qd_actual", &RobotStateRTMsg::qd_actual),
                  field("i_actual", &RobotStateRTMsg::i_actual),
                  field("tool_acc_values", &RobotStateRTMsg::tool_acc_values),
                  field("tcp_force", &RobotStateRTMsg::tcp_force),
                  field("tool_vector", &RobotStateRTMsg::tool_vector),
                  field("tcp_speed", &RobotStateRTMsg::tcp_speed),
                  field("digital_input_bits", &RobotStateRTMsg::digital_input_bits),
                  field("motor_temperatures", &RobotStateRTMsg::motor_temperatures),
                  field("controller_timer", &RobotStateRTMsg::controller_timer),
                  field("test_value", &RobotStateRTMsg::test_value),
                  field("robot_mode", &RobotStateRTMsg::robot_mode),
                  field("joint_modes", &RobotStateRTMsg::joint_modes)};
  }
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
  bool operator==(const RobotStateRTMsg&) const = default;
};

struct ToolDataMsg {
  static constexpr std::string_view type_name = "ur_msgs/msg/ToolDataMsg";
  static constexpr auto fields() {
    return Fields{field("analog_input_range2", &ToolDataMsg::analog_input_range2),
                  field("analog_input_range3", &ToolDataMsg::analog_input_range3),
                  field("analog_input2", &ToolDataMsg::analog_input2),
                  field("analog_input3", &ToolDataMsg::analog_input3),
                  field("tool_voltage_48v", &ToolDataMsg::tool_voltage_48v),
                  field("tool_output_voltage", &ToolDataMsg::tool_output_voltage),
                  field("tool_current", &ToolDataMsg::tool_current),
                  field("tool_temperature", &ToolDataMsg::tool_temperature),
                  field("tool_mode", &ToolDataMsg::tool_mode)};
  }

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
  bool operator==(const ToolDataMsg&) const = default;
};

struct SetIO {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetIO";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetIO_Request";
    static constexpr auto fields() {
      return Fields{field("fun", &Request::fun), field("pin", &Request::pin), field("state", &Request::state)};
    }

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
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetIO_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

struct SetPayload {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload_Request";
    static constexpr auto fields() {
      return Fields{field("mass", &Request::mass), field("center_of_gravity", &Request::center_of_gravity)};
    }
    float mass = 0.0F;
    geometry_msgs::Vector3 center_of_gravity;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetPayload_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

struct SetSpeedSliderFraction {
  static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction";
  struct Request {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction_Request";
    static constexpr auto fields() { return Fields{field("speed_slider_fraction", &Request::speed_slider_fraction)}; }
    double speed_slider_fraction = 0.0;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_msgs/srv/SetSpeedSliderFraction_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

using Messages = Types<Analog, Digital, IOStates, MasterboardDataMsg, RobotModeDataMsg, RobotStateRTMsg, ToolDataMsg>;
using Services = Types<SetIO, SetPayload, SetSpeedSliderFraction>;
using Actions = Types<>;

}  // namespace tandem::ros2::ur_msgs
