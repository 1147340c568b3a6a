// SPDX-License-Identifier: Apache-2.0
// What a UR controller reports and is sent: one plain struct for its state and one for its inputs. RTDE, the real-time
// packet and the robot-state packages are all filled from these. SI units throughout: m, rad, N, Nm, A, V, kg, s.
#pragma once

#include <array>
#include <cstdint>

namespace tandem::ur {

using Vector3 = std::array<double, 3>;
using Vector6 = std::array<double, 6>;
using Integers6 = std::array<std::int32_t, 6>;

enum class RobotMode : std::int32_t {
  no_controller = -1,
  disconnected = 0,
  confirm_safety = 1,
  booting = 2,
  power_off = 3,
  power_on = 4,
  idle = 5,
  backdrive = 6,
  running = 7,
  updating_firmware = 8,
};

enum class SafetyMode : std::int32_t {
  normal = 1,
  reduced = 2,
  protective_stop = 3,
  recovery = 4,
  safeguard_stop = 5,
  system_emergency_stop = 6,
  robot_emergency_stop = 7,
  violation = 8,
  fault = 9,
  validate_joint_id = 10,
  undefined = 11,
  automatic_mode_safeguard_stop = 12,
  three_position_enabling_stop = 13,
};

enum class JointMode : std::int32_t {
  reset = 235,
  shutting_down = 236,
  backdrive = 238,
  power_off = 239,
  not_responding = 245,
  motor_initialisation = 246,
  booting = 247,
  fault = 252,
  running = 253,
  idle = 255,
};

enum class RuntimeState : std::uint32_t {
  stopping = 0,
  stopped = 1,
  playing = 2,
  pausing = 3,
  paused = 4,
  resuming = 5
};

// Bits of robot_status_bits.
namespace robot_status {
constexpr std::uint32_t power_on = 1u << 0;
constexpr std::uint32_t program_running = 1u << 1;
constexpr std::uint32_t teach_button = 1u << 2;
constexpr std::uint32_t power_button = 1u << 3;
}  // namespace robot_status

// Bits of safety_status_bits.
namespace safety_status {
constexpr std::uint32_t normal = 1u << 0;
constexpr std::uint32_t reduced = 1u << 1;
constexpr std::uint32_t protective_stopped = 1u << 2;
constexpr std::uint32_t recovery = 1u << 3;
constexpr std::uint32_t safeguard_stopped = 1u << 4;
constexpr std::uint32_t system_emergency_stopped = 1u << 5;
constexpr std::uint32_t robot_emergency_stopped = 1u << 6;
constexpr std::uint32_t emergency_stopped = 1u << 7;
constexpr std::uint32_t violation = 1u << 8;
constexpr std::uint32_t fault = 1u << 9;
constexpr std::uint32_t stopped_due_to_safety = 1u << 10;
constexpr std::uint32_t three_position_enabling = 1u << 11;
}  // namespace safety_status

constexpr std::size_t register_count = 48;      // integer and double registers, each way
constexpr std::size_t first_bit_register = 64;  // the first bit that has a variable of its own
constexpr std::size_t bit_register_count = 64;

// Every output of RTDE under its own name (lower case). Poses are x, y, z and a rotation vector: TCP in the base frame.
struct ControllerState {
  double timestamp = 0;  // since the controller started, s
  Vector6 target_q{}, target_qd{}, target_qdd{}, target_current{}, target_moment{};
  Vector6 actual_q{}, actual_qd{}, actual_current{}, actual_current_window{}, actual_current_as_torque{};
  Vector6 joint_control_output{};
  Vector6 actual_tcp_pose{}, actual_tcp_speed{}, actual_tcp_force{}, actual_tcp_acceleration{};
  Vector6 target_tcp_pose{}, target_tcp_speed{}, target_tcp_acceleration{};
  Vector6 tcp_offset{};
  std::uint64_t actual_digital_input_bits = 0;  // 0-7 standard, 8-15 configurable, 16-17 tool
  std::uint64_t actual_configurable_digital_input_bits = 0;
  Vector6 joint_temperatures{};      // degrees Celsius
  double actual_execution_time = 0;  // of the control thread
  double target_execution_time = 0;
  RobotMode robot_mode = RobotMode::power_off;
  Integers6 joint_mode{};  // JointMode
  SafetyMode safety_mode = SafetyMode::normal;
  std::int32_t safety_status = 1;  // SafetyMode's numbers
  Vector3 actual_tool_accelerometer{};
  double speed_scaling = 1;          // 0..1, what the motion really runs at
  double target_speed_fraction = 1;  // 0..1, the slider
  double actual_momentum = 0;
  double actual_main_voltage = 0, actual_robot_voltage = 0, actual_robot_current = 0;
  Vector6 actual_joint_voltage{};
  std::uint64_t actual_digital_output_bits = 0;  // 0-7 standard, 8-15 configurable, 16-17 tool
  std::uint64_t actual_configurable_digital_output_bits = 0;
  RuntimeState runtime_state = RuntimeState::stopped;
  Vector3 elbow_position{}, elbow_velocity{};
  std::uint32_t robot_status_bits = 0;
  std::uint32_t safety_status_bits = 0;
  std::uint32_t analog_io_types = 0;  // bits 0, 1 inputs; 2, 3 outputs; 0 current, 1 voltage
  std::array<double, 2> standard_analog_input{}, standard_analog_output{};  // A or V
  double io_current = 0;
  std::uint32_t euromap67_input_bits = 0, euromap67_output_bits = 0;
  double euromap67_24v_voltage = 0, euromap67_24v_current = 0;
  std::uint32_t tool_mode = 0;
  std::uint32_t tool_analog_input_types = 0;
  std::array<double, 2> tool_analog_input{};
  std::int32_t tool_output_voltage = 0;
  double tool_output_current = 0;
  double tool_temperature = 0;  // degrees Celsius
  std::uint8_t tool_output_mode = 0, tool_digital_output0_mode = 0, tool_digital_output1_mode = 0;
  double tcp_force_scalar = 0;
  double joint_position_deviation_ratio = 0, collision_detection_ratio = 0;
  Vector6 ft_raw_wrench{}, wrench_calc_from_currents{};
  double payload = 0;
  Vector3 payload_cog{};
  Vector6 payload_inertia{};  // Ixx, Iyy, Izz, Ixy, Ixz, Iyz
  std::uint32_t script_control_line = 0;
  std::int32_t time_scale_source = 0;
  Vector3 target_gravity{};
  Vector6 target_base_acceleration{}, target_base_wrench{};
  std::uint64_t control_step = 0;
  std::int32_t encoder0_raw = 0, encoder1_raw = 0;
  double actual_robot_energy_consumed = 0, actual_robot_braking_energy_dissipated = 0;  // J
  std::array<std::uint32_t, 2> output_bit_registers{};                                  // bits 0..31 and 32..63
  std::array<std::uint8_t, bit_register_count> output_bit_register{};                   // bits 64..127, one each
  std::array<std::int32_t, register_count> output_int_register{};
  std::array<double, register_count> output_double_register{};
};

// Every input of RTDE. Masks say which bits of a write count; the owner of the controller applies them.
struct ControllerInputs {
  std::uint32_t speed_slider_mask = 0;
  double speed_slider_fraction = 0;
  std::uint8_t standard_digital_output_mask = 0, standard_digital_output = 0;
  std::uint8_t configurable_digital_output_mask = 0, configurable_digital_output = 0;
  std::uint8_t tool_digital_output_mask = 0, tool_digital_output = 0;
  std::uint8_t standard_analog_output_mask = 0, standard_analog_output_type = 0;
  std::array<double, 2> standard_analog_output{};                     // ratio, 0..1
  std::array<std::uint32_t, 2> input_bit_registers{};                 // bits 0..31 and 32..63
  std::array<std::uint8_t, bit_register_count> input_bit_register{};  // bits 64..127, one each
  std::array<std::int32_t, register_count> input_int_register{};
  std::array<double, register_count> input_double_register{};
  Vector6 external_force_torque{};
};

// One place for both, so that every variable has one offset.
struct Variables {
  ControllerState state;
  ControllerInputs inputs;
};

const char* name(RobotMode mode);   // "RUNNING", as the dashboard says it
const char* name(SafetyMode mode);  // "NORMAL"

// One of the 128 boolean registers, however it is stored. False or no effect beyond them.
bool output_bit(const ControllerState& state, std::size_t index);
void write_output_bit(ControllerState& state, std::size_t index, bool value);
bool input_bit(const ControllerInputs& inputs, std::size_t index);
void write_input_bit(ControllerInputs& inputs, std::size_t index, bool value);

}  // namespace tandem::ur
