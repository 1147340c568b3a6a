// SPDX-License-Identifier: Apache-2.0
// An arm behind the API: takes commands, reports its state. Behind it stands a controller (RTDE) or a ROS 2 controller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/ur3e/arm_commands.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

// One sample of the arm. What a kind of arm does not know is NaN or zero, as said.
struct ArmState {
  Instant received{};
  double stamp = 0;  // the controller's own time, s
  Six q{}, qd{};
  Six tcp_pose{}, tcp_speed{}, tcp_force{};       // base frame; force NaN where there is none
  Six tcp_offset{};                               // tcp in the flange frame
  std::uint64_t digital_in = 0, digital_out = 0;  // bits 0-7 standard, 8-15 configurable, 16-17 tool
  std::array<double, 2> analog_in{}, analog_out{};
  double speed_fraction = 1;  // the slider
  bool paused = false;        // the program is held: nothing moves, nothing is lost
  ur::RobotMode robot_mode = ur::RobotMode::disconnected;
  ur::SafetyMode safety_mode = ur::SafetyMode::undefined;
};

struct ArmStatus {
  bool live = false;         // the link stands and samples are fresh
  bool armed = false;        // commands are taken
  bool faulted = false;      // latched until reset()
  bool nominal = false;      // the controller's calibration is not the model's: our own poses may be 1 to 2 mm off
  ShortText<240> why;        // when not armed: the cause in words
  std::uint32_t faults = 0;  // how often it has latched
};

// How a command fares.
enum class Outcome : std::uint8_t { waiting, running, done, interrupted, failed };
constexpr bool is_over(Outcome outcome) { return outcome >= Outcome::done; }

using Ticket = std::uint32_t;

class Arm {
 public:
  virtual ~Arm() = default;

  // Hands a command over and returns at once. Commands are taken in their order; a motion replaces one that still
  // waits or runs. Refused unless armed; the error says why it is not.
  virtual Result<Ticket> submit(command::Any command, Instant deadline) = 0;
  // Of the last 64 commands; older ones have failed.
  virtual Outcome outcome(Ticket ticket) const = 0;

  virtual std::optional<ArmState> state() const = 0;  // the newest sample, however old
  virtual ArmStatus status() const = 0;

  // Clears what has latched, where its cause is gone. Nothing moves.
  virtual Result<void> reset(Instant deadline) = 0;
  // The operator's word: from now on commands are taken.
  virtual Result<void> arm(Instant deadline) = 0;
  // Stops, takes no more commands.
  virtual Result<void> disarm(Instant deadline) = 0;
};

}  // namespace tandem::ur3e
