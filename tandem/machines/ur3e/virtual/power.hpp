// SPDX-License-Identifier: Apache-2.0
// Power and safety of the virtual controller: the mode it is in, what leads to the next, and how long that takes.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

struct PowerTimes {
  double boot = 0.8;     // s, from off to idle
  double release = 0.6;  // s, from idle to running: the brakes click open one by one
  double unlock = 5.0;   // s that a protective stop lasts at least
};

class Power {
 public:
  explicit Power(bool running, const PowerTimes& times = {});

  void step(double dt);

  // What a person or the dashboard asks for. They do it, or say why not in the dashboard's words.
  using Refusal = std::optional<std::string>;
  Refusal power_on();
  void power_off();
  Refusal brake_release();
  Refusal unlock_protective_stop();  // not within the first seconds of the stop
  Refusal restart_safety();

  // The same without a wait, as the controller's own word does it: the wait is a rule of the pendant.
  void unlock();

  // What befalls the arm. A worse state is not left for a milder one.
  void protective_stop();
  void emergency_stop(bool pressed);  // released, the arm is off
  void safeguard(bool open);
  void reduced(bool on) { reduced_ = on; }
  void violation();
  void fault();

  ur::RobotMode robot_mode() const { return robot_mode_; }
  ur::SafetyMode safety_mode() const;
  bool powered() const;
  // The arm is under control and nothing forbids it to move.
  bool may_move() const;
  // Stopped by something that ends the program; a safeguard or a protective stop only pauses it.
  bool stopped() const;
  Drive drive() const;  // while no motion asks for another
  ur::JointMode joint_mode() const;
  std::uint32_t status_bits() const;         // robot_status, without the program's
  std::uint32_t safety_status_bits() const;  // safety_status

 private:
  void drop(ur::SafetyMode why);

  PowerTimes times_;
  ur::RobotMode robot_mode_;
  ur::RobotMode wanted_;
  ur::SafetyMode latched_ = ur::SafetyMode::normal;  // protective stop, emergency stop, violation or fault
  bool safeguard_ = false;
  bool reduced_ = false;
  double in_mode_ = 0;  // s
  double in_stop_ = 0;  // s since the protective stop
};

}  // namespace tandem::ur3e
