// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/power.hpp"

#include <fmt/format.h>

namespace tandem::ur3e {

using ur::RobotMode;
using ur::SafetyMode;

Power::Power(bool running, const PowerTimes& times)
    : times_(times), robot_mode_(running ? RobotMode::running : RobotMode::power_off), wanted_(robot_mode_) {}

void Power::step(double dt) {
  in_mode_ += dt;
  in_stop_ += dt;
  const auto go = [this](RobotMode next) {
    robot_mode_ = next;
    in_mode_ = 0;
  };
  switch (robot_mode_) {
    case RobotMode::power_off:
      if (wanted_ != RobotMode::power_off) go(RobotMode::booting);
      break;
    case RobotMode::booting:
      if (in_mode_ >= times_.boot * 0.75) go(RobotMode::power_on);
      break;
    case RobotMode::power_on:
      if (in_mode_ >= times_.boot * 0.25) go(RobotMode::idle);
      break;
    case RobotMode::idle:
      if (wanted_ == RobotMode::running && in_mode_ >= times_.release) go(RobotMode::running);
      break;
    default:
      break;
  }
}

Power::Refusal Power::power_on() {
  if (latched_ != SafetyMode::normal && latched_ != SafetyMode::protective_stop)
    return fmt::format("Power on not possible: safety mode {}", ur::name(safety_mode()));
  if (robot_mode_ == RobotMode::power_off) wanted_ = RobotMode::idle;
  return std::nullopt;
}

void Power::power_off() {
  robot_mode_ = wanted_ = RobotMode::power_off;
  in_mode_ = 0;
  unlock();
}

Power::Refusal Power::brake_release() {
  if (auto refused = power_on()) return refused;
  if (robot_mode_ == RobotMode::idle && wanted_ != RobotMode::running) in_mode_ = 0;
  wanted_ = RobotMode::running;
  return std::nullopt;
}

Power::Refusal Power::unlock_protective_stop() {
  if (latched_ != SafetyMode::protective_stop) return std::nullopt;
  if (in_stop_ < times_.unlock)
    return fmt::format(
        "Cannot unlock protective stop until {:g}s after occurrence. Always inspect cause of protective "
        "stop before unlocking",
        times_.unlock);
  unlock();
  return std::nullopt;
}

void Power::unlock() {
  if (latched_ == SafetyMode::protective_stop) latched_ = SafetyMode::normal;
}

Power::Refusal Power::restart_safety() {
  if (latched_ == SafetyMode::robot_emergency_stop) return "Restart safety not possible: emergency stop is pressed";
  power_off();
  latched_ = SafetyMode::normal;
  return std::nullopt;
}

void Power::protective_stop() {
  if (latched_ != SafetyMode::normal || robot_mode_ != RobotMode::running) return;
  latched_ = SafetyMode::protective_stop;
  in_stop_ = 0;
}

void Power::drop(SafetyMode why) {
  latched_ = why;
  robot_mode_ = wanted_ = RobotMode::power_off;
  in_mode_ = 0;
}

void Power::emergency_stop(bool pressed) {
  if (pressed && latched_ != SafetyMode::violation && latched_ != SafetyMode::fault)
    drop(SafetyMode::robot_emergency_stop);
  if (!pressed && latched_ == SafetyMode::robot_emergency_stop) latched_ = SafetyMode::normal;
}

void Power::safeguard(bool open) { safeguard_ = open; }

void Power::violation() {
  if (latched_ != SafetyMode::fault) drop(SafetyMode::violation);
}

void Power::fault() { drop(SafetyMode::fault); }

SafetyMode Power::safety_mode() const {
  if (latched_ != SafetyMode::normal) return latched_;
  if (safeguard_) return SafetyMode::safeguard_stop;
  return reduced_ ? SafetyMode::reduced : SafetyMode::normal;
}

bool Power::powered() const {
  return robot_mode_ == RobotMode::power_on || robot_mode_ == RobotMode::idle || robot_mode_ == RobotMode::running;
}

bool Power::may_move() const {
  return robot_mode_ == RobotMode::running && latched_ == SafetyMode::normal && !safeguard_;
}

bool Power::stopped() const {
  return robot_mode_ != RobotMode::running ||
         (latched_ != SafetyMode::normal && latched_ != SafetyMode::protective_stop);
}

Drive Power::drive() const {
  if (!powered()) return Drive::off;
  return robot_mode_ == RobotMode::running ? Drive::servo : Drive::braked;
}

ur::JointMode Power::joint_mode() const {
  switch (robot_mode_) {
    case RobotMode::running:
      return ur::JointMode::running;
    case RobotMode::booting:
      return ur::JointMode::booting;
    case RobotMode::power_on:
    case RobotMode::idle:
      return ur::JointMode::idle;
    default:
      return ur::JointMode::power_off;
  }
}

std::uint32_t Power::status_bits() const { return powered() ? ur::robot_status::power_on : 0; }

std::uint32_t Power::safety_status_bits() const {
  namespace bits = ur::safety_status;
  switch (safety_mode()) {
    case SafetyMode::normal:
      return bits::normal;
    case SafetyMode::reduced:
      return bits::reduced;
    case SafetyMode::protective_stop:
      return bits::protective_stopped | bits::stopped_due_to_safety;
    case SafetyMode::safeguard_stop:
      return bits::safeguard_stopped | bits::stopped_due_to_safety;
    case SafetyMode::robot_emergency_stop:
      return bits::robot_emergency_stopped | bits::emergency_stopped | bits::stopped_due_to_safety;
    case SafetyMode::violation:
      return bits::violation | bits::stopped_due_to_safety;
    default:
      return bits::fault | bits::stopped_due_to_safety;
  }
}

}  // namespace tandem::ur3e
