// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/device/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/device/control_script.hpp"

namespace tandem::ur3e {
namespace {

// What no UR3e can have, whatever it carries: far beyond its limits, so that no true sample is refused. SI.
constexpr double farthest_turn = 10;    // the joints but the last, which turns without end
constexpr double farthest_screw = 1e4;  // that one
constexpr double fastest_joint = 20;
constexpr double farthest_tool = 10;  // from the base or the flange; rotation vectors stay below it
constexpr double fastest_tool = 50;
constexpr double strongest_tool = 1e4;
constexpr double widest_scaling = 2;      // of speeds; 1 is full
constexpr double longest_service = 1e10;  // since the controller started
// A joint's step between two samples is held against this much more than it can turn, and a little for their noise.
constexpr double speed_margin = 1.5;
constexpr double step_margin = 0.01;

// False for what is no number.
bool all_within(const Six& values, double limit) {
  return std::ranges::all_of(values, [=](double value) { return std::abs(value) <= limit; });
}

bool joints_within(const Six& q) {
  for (std::size_t i = 0; i < 6; ++i)
    if (!(std::abs(q[i]) <= (i < 5 ? farthest_turn : farthest_screw))) return false;
  return true;
}

const char* remedy(ur::SafetyMode mode) {
  switch (mode) {
    case ur::SafetyMode::protective_stop:
      return "find the cause of the stop, then call reset_error() and arm()";
    case ur::SafetyMode::safeguard_stop:
    case ur::SafetyMode::automatic_mode_safeguard_stop:
    case ur::SafetyMode::three_position_enabling_stop:
      return "clear the safeguard at the robot, then call reset_error() and arm()";
    case ur::SafetyMode::system_emergency_stop:
    case ur::SafetyMode::robot_emergency_stop:
      return "release the emergency stop at the robot, then call reset_error() and arm()";
    default:
      return "see the robot's pendant; it cannot be released remotely";
  }
}

// Between the zero of the model's flange and the pose that the controller reports.
Six offset_from(const ur::ControllerState& state) {
  const Pose flange = kinematics::ur::forward(arm_model, Joint6D::from_radians(state.actual_q).vector());
  return TCP6D::from(flange.inverse() * TCP6D::from_metres_radians(state.actual_tcp_pose).pose()).list();
}

}  // namespace

machines::Verdict Gate::judge(const ur::ControllerState& sample) {
  if (const auto doubt = implausible(sample)) return {Quality::invalid, *doubt};
  last_ = Believed{sample.timestamp, sample.actual_q};
  return {};
}

std::optional<std::string> Gate::implausible(const ur::ControllerState& state) const {
  const std::pair<const char*, bool> parts[] = {
      {"timestamp", state.timestamp >= 0 && state.timestamp <= longest_service},
      {"actual_q", joints_within(state.actual_q)},
      {"actual_qd", all_within(state.actual_qd, fastest_joint)},
      {"actual_TCP_pose", all_within(state.actual_tcp_pose, farthest_tool)},
      {"actual_TCP_speed", all_within(state.actual_tcp_speed, fastest_tool)},
      {"actual_TCP_force", all_within(state.actual_tcp_force, strongest_tool)},
      {"tcp_offset", all_within(state.tcp_offset, farthest_tool)},
      {"target_speed_fraction", std::abs(state.target_speed_fraction) <= widest_scaling},
      {"speed_scaling", std::abs(state.speed_scaling) <= widest_scaling}};
  for (const auto& [part, good] : parts)
    if (!good) return fmt::format("{}: invalid value from the controller", part);
  // Time that went back is another run of the controller, which owes nothing to the last.
  if (!last_ || state.timestamp < last_->stamp) return std::nullopt;
  const double dt = state.timestamp - last_->stamp;
  for (std::size_t i = 0; i < 6; ++i) {
    const double step = std::abs(state.actual_q[i] - last_->q[i]);
    const double most = speed_margin * arm_model.speed[i] * dt + step_margin;
    if (step > most)
      return fmt::format("{} jumped by {:.3f} rad in {:.0f} ms (limit {:.3f})", joint_names[i], step, 1e3 * dt, most);
  }
  return std::nullopt;
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
    return "heartbeat timeout on the controller: it stopped the arm by itself";
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
