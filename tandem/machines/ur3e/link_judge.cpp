#include "tandem/machines/ur3e/link_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/control_script.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

bool all_finite(const Six& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

const char* remedy(ur::SafetyMode mode) {
  switch (mode) {
    case ur::SafetyMode::protective_stop:
      return "look what stopped it, then call reset_error() and arm()";
    case ur::SafetyMode::safeguard_stop:
    case ur::SafetyMode::automatic_mode_safeguard_stop:
    case ur::SafetyMode::three_position_enabling_stop:
      return "clear the safeguard at the robot, then call reset_error() and arm()";
    case ur::SafetyMode::system_emergency_stop:
    case ur::SafetyMode::robot_emergency_stop:
      return "release the emergency stop at the robot, then call reset_error() and arm()";
    default:
      return "see the robot's pendant; nothing is released from here";
  }
}

// Between the zero of the model's flange and the pose that the controller tells.
Six offset_from(const ur::ControllerState& state) {
  const Pose flange = kinematics::ur::forward(arm_model, Joint6D::from_radians(state.actual_q).vector());
  return TCP6D::from(flange.inverse() * TCP6D::from_metres_radians(state.actual_tcp_pose).pose()).list();
}

}  // namespace

bool is_finite(const ur::ControllerState& state) {
  return all_finite(state.actual_q) && all_finite(state.actual_qd) && all_finite(state.actual_tcp_pose) &&
         all_finite(state.actual_tcp_speed) && all_finite(state.actual_tcp_force) && all_finite(state.tcp_offset) &&
         std::isfinite(state.timestamp) && std::isfinite(state.target_speed_fraction);
}

std::optional<std::string> hindrance(const ur::ControllerState& state) {
  const auto mode = state.safety_mode;
  if (mode != ur::SafetyMode::normal && mode != ur::SafetyMode::reduced)
    return fmt::format("safety mode {}: {}", ur::name(mode), remedy(mode));
  const std::uint32_t bits = state.safety_status_bits;
  constexpr std::uint32_t stopped = ur::safety_status::protective_stopped | ur::safety_status::safeguard_stopped |
                                    ur::safety_status::system_emergency_stopped |
                                    ur::safety_status::robot_emergency_stopped | ur::safety_status::emergency_stopped |
                                    ur::safety_status::violation | ur::safety_status::fault |
                                    ur::safety_status::stopped_due_to_safety;
  if ((bits & stopped) != 0)
    return fmt::format("safety status bits {:#x}: the robot is stopped; call reset_error() and arm() when it may move",
                       bits);
  if (state.robot_mode != ur::RobotMode::running)
    return fmt::format(
        "robot mode {}: expected RUNNING; reset_error() powers it on and releases the brakes, then "
        "call arm()",
        ur::name(state.robot_mode));
  return std::nullopt;
}

std::optional<std::string> program_end(const ur::ControllerState& state) {
  if (state.output_int_register[script::outputs::ending] == static_cast<std::int32_t>(script::Ending::watchdog))
    return "the controller saw no heartbeat from this side in time and stopped the arm by itself";
  if (state.runtime_state == ur::RuntimeState::stopped || state.runtime_state == ur::RuntimeState::stopping)
    return "the control program was stopped on the controller: at the pendant, by another client or by an error in it";
  return std::nullopt;
}

ArmState arm_state_from(const ur::ControllerState& state, bool has_tcp_offset, Instant received) {
  ArmState out;
  out.received = received;
  out.stamp = state.timestamp;
  out.q = state.actual_q;
  out.qd = state.actual_qd;
  out.tcp_pose = state.actual_tcp_pose;
  out.tcp_speed = state.actual_tcp_speed;
  out.tcp_force = state.actual_tcp_force;
  out.tcp_offset = has_tcp_offset ? state.tcp_offset : offset_from(state);
  out.digital_in = state.actual_digital_input_bits;
  out.digital_out = state.actual_digital_output_bits;
  out.analog_in = state.standard_analog_input;
  out.analog_out = state.standard_analog_output;
  out.speed_fraction = state.target_speed_fraction;
  out.paused = state.runtime_state == ur::RuntimeState::paused || state.runtime_state == ur::RuntimeState::pausing;
  out.robot_mode = state.robot_mode;
  out.safety_mode = state.safety_mode;
  return out;
}

}  // namespace tandem::ur3e
