// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur {
namespace {

using Words = std::array<std::uint32_t, 2>;
using Singles = std::array<std::uint8_t, bit_register_count>;

bool bit(const Words& words, const Singles& singles, std::size_t index) {
  if (index < first_bit_register) return (words[index / 32] >> (index % 32) & 1u) != 0;
  return index - first_bit_register < singles.size() && singles[index - first_bit_register] != 0;
}

void write_bit(Words& words, Singles& singles, std::size_t index, bool value) {
  if (index < first_bit_register) {
    const std::uint32_t mask = 1u << (index % 32);
    words[index / 32] = value ? words[index / 32] | mask : words[index / 32] & ~mask;
  } else if (index - first_bit_register < singles.size()) {
    singles[index - first_bit_register] = value ? 1 : 0;
  }
}

}  // namespace

const char* name(RobotMode mode) {
  switch (mode) {
    case RobotMode::no_controller:
      return "NO_CONTROLLER";
    case RobotMode::disconnected:
      return "DISCONNECTED";
    case RobotMode::confirm_safety:
      return "CONFIRM_SAFETY";
    case RobotMode::booting:
      return "BOOTING";
    case RobotMode::power_off:
      return "POWER_OFF";
    case RobotMode::power_on:
      return "POWER_ON";
    case RobotMode::idle:
      return "IDLE";
    case RobotMode::backdrive:
      return "BACKDRIVE";
    case RobotMode::running:
      return "RUNNING";
    case RobotMode::updating_firmware:
      return "UPDATING_FIRMWARE";
  }
  return "UNKNOWN";
}

const char* name(SafetyMode mode) {
  switch (mode) {
    case SafetyMode::normal:
      return "NORMAL";
    case SafetyMode::reduced:
      return "REDUCED";
    case SafetyMode::protective_stop:
      return "PROTECTIVE_STOP";
    case SafetyMode::recovery:
      return "RECOVERY";
    case SafetyMode::safeguard_stop:
      return "SAFEGUARD_STOP";
    case SafetyMode::system_emergency_stop:
      return "SYSTEM_EMERGENCY_STOP";
    case SafetyMode::robot_emergency_stop:
      return "ROBOT_EMERGENCY_STOP";
    case SafetyMode::violation:
      return "VIOLATION";
    case SafetyMode::fault:
      return "FAULT";
    case SafetyMode::validate_joint_id:
      return "VALIDATE_JOINT_ID";
    case SafetyMode::undefined:
      return "UNDEFINED";
    case SafetyMode::automatic_mode_safeguard_stop:
      return "AUTOMATIC_MODE_SAFEGUARD_STOP";
    case SafetyMode::three_position_enabling_stop:
      return "SYSTEM_THREE_POSITION_ENABLING_STOP";
  }
  return "UNKNOWN";
}

bool output_bit(const ControllerState& state, std::size_t index) {
  return bit(state.output_bit_registers, state.output_bit_register, index);
}
void write_output_bit(ControllerState& state, std::size_t index, bool value) {
  write_bit(state.output_bit_registers, state.output_bit_register, index, value);
}
bool input_bit(const ControllerInputs& inputs, std::size_t index) {
  return bit(inputs.input_bit_registers, inputs.input_bit_register, index);
}
void write_input_bit(ControllerInputs& inputs, std::size_t index, bool value) {
  write_bit(inputs.input_bit_registers, inputs.input_bit_register, index, value);
}

}  // namespace tandem::ur
