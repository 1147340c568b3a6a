// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/robot_state.hpp"

namespace tandem::ur::primary {
namespace {

std::uint64_t microseconds(double seconds) { return seconds > 0 ? static_cast<std::uint64_t>(seconds * 1e6) : 0; }

std::uint8_t small(std::int64_t value) { return static_cast<std::uint8_t>(value); }

bool has_bit(std::uint32_t bits, std::uint32_t bit) { return (bits & bit) != 0; }

RobotModeData mode_from(const ControllerState& s) {
  RobotModeData data;
  data.timestamp = microseconds(s.timestamp);
  data.connected = s.robot_mode != RobotMode::no_controller && s.robot_mode != RobotMode::disconnected;
  data.enabled = data.connected;
  data.power_on = has_bit(s.robot_status_bits, robot_status::power_on);
  data.emergency_stopped = has_bit(s.safety_status_bits, safety_status::emergency_stopped);
  data.protective_stopped = has_bit(s.safety_status_bits, safety_status::protective_stopped);
  data.program_running = has_bit(s.robot_status_bits, robot_status::program_running);
  data.program_paused = s.runtime_state == RuntimeState::paused;
  data.robot_mode = small(static_cast<std::int64_t>(s.robot_mode));
  data.target_speed_fraction = s.target_speed_fraction;
  data.speed_scaling = s.speed_scaling;
  return data;
}

std::array<JointData, 6> joints_from(const ControllerState& s) {
  std::array<JointData, 6> joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i].actual_q = s.actual_q[i];
    joints[i].target_q = s.target_q[i];
    joints[i].actual_qd = s.actual_qd[i];
    joints[i].current = static_cast<float>(s.actual_current[i]);
    joints[i].voltage = static_cast<float>(s.actual_joint_voltage[i]);
    joints[i].motor_temperature = joints[i].micro_temperature = static_cast<float>(s.joint_temperatures[i]);
    joints[i].mode = small(s.joint_mode[i]);
  }
  return joints;
}

ToolData tool_from(const ControllerState& s) {
  ToolData tool;
  for (std::size_t i = 0; i < 2; ++i) {
    tool.analog_input_range[i] = small(s.tool_analog_input_types >> i & 1);
    tool.analog_input[i] = s.tool_analog_input[i];
  }
  tool.voltage = static_cast<float>(s.actual_robot_voltage);
  tool.output_voltage = small(s.tool_output_voltage);
  tool.current = static_cast<float>(s.tool_output_current);
  tool.temperature = static_cast<float>(s.tool_temperature);
  tool.mode = small(s.tool_mode);
  return tool;
}

MasterboardData masterboard_from(const ControllerState& s) {
  MasterboardData board;
  board.digital_inputs = static_cast<std::uint32_t>(s.actual_digital_input_bits);
  board.digital_outputs = static_cast<std::uint32_t>(s.actual_digital_output_bits);
  for (std::size_t i = 0; i < 2; ++i) {
    board.analog_input_range[i] = small(s.analog_io_types >> i & 1);
    board.analog_input[i] = s.standard_analog_input[i];
    board.analog_output_domain[i] = static_cast<std::int8_t>(s.analog_io_types >> (i + 2) & 1);
    board.analog_output[i] = s.standard_analog_output[i];
  }
  board.temperature = 30;
  board.robot_voltage = static_cast<float>(s.actual_robot_voltage);
  board.robot_current = static_cast<float>(s.actual_robot_current);
  board.io_current = static_cast<float>(s.io_current);
  board.safety_mode = small(static_cast<std::int64_t>(s.safety_mode));
  board.reduced = s.safety_mode == SafetyMode::reduced ? 1 : 0;
  return board;
}

}  // namespace

RobotState robot_state_from(const Variables& variables, const RobotDescription& description, bool full) {
  const ControllerState& s = variables.state;
  RobotState state;
  state.mode = mode_from(s);
  state.joints = joints_from(s);
  state.tool = tool_from(s);
  state.masterboard = masterboard_from(s);
  state.cartesian = {s.actual_tcp_pose, s.tcp_offset};
  if (full) state.kinematics = description.kinematics;
  state.configuration = description.configuration;
  state.force_mode = {s.actual_tcp_force, 0};
  state.additional.emplace();
  state.additional->freedrive_pressed = has_bit(s.robot_status_bits, robot_status::teach_button);
  state.additional->freedrive_enabled = true;
  state.calibration = {s.ft_raw_wrench};
  state.safety.emplace();
  state.tool_communication.emplace();
  state.tool_mode = {s.tool_output_mode, {s.tool_digital_output0_mode, s.tool_digital_output1_mode}};
  return state;
}

}  // namespace tandem::ur::primary
