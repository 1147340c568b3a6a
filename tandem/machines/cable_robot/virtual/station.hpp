// SPDX-License-Identifier: Apache-2.0
// The winches' station with the robot behind it: who is enabled, who holds, when it stops by itself. SI; it knows no
// registers and no clock.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "tandem/machines/cable_robot/description.hpp"
#include "tandem/machines/cable_robot/virtual/body.hpp"
#include "tandem/machines/cable_robot/virtual/winch.hpp"

namespace tandem::cable_robot {

class WinchFaults;

// One whole command.
struct StationCommand {
  std::uint16_t counter = 0;
  std::uint16_t enable = 0;  // one bit for each winch
  WinchCommand winches;
};

// What the head of the feedback reports; the rest is WinchFeedback.
struct StationState {
  std::uint16_t counter = 0;  // of the last order
  std::uint16_t enabled = 0;  // one bit for each winch
  std::uint16_t faults = 0;   // one bit for each winch
  WinchMode mode = WinchMode::hold;
  bool physics_tripped = false;
  bool stop = false;   // the coil's level
  bool reset = false;  // the coil's level
};

struct StationOptions {
  WinchLimits limits;
  BodyOptions body;
  double encoder_noise = 0;  // m, standard deviation
  double tension_noise = 0;  // N, standard deviation
  std::uint64_t seed = 1;    // of the noise
};

class VirtualStation {
 public:
  // `faults` may be null.
  VirtualStation(const cables::Robot& robot, const StationOptions& options, WinchFaults* faults = nullptr);

  // A winch is enabled when its bit rises: 0 in one order and 1 in the next. What is set in the first order after
  // power-up, or was set when something tripped, has to fall first. A counter that changes feeds the watchdog.
  void order(const StationCommand& order);
  // Its rising edge clears all that is latched, while no winch is enabled.
  void reset(bool level);
  // High: all winches are disabled and none can be enabled.
  void stop(bool level);
  // False, and nothing changes, while a winch is enabled.
  bool limits(const WinchLimits& limits);
  // As after power-up; platform and drums are where they were.
  void restart();

  // One cycle of winches and physics.
  void cycle();

  int winches() const { return static_cast<int>(winches_.size()); }
  const StationCommand& last_order() const { return order_; }
  const StationState& state() const { return state_; }
  const WinchFeedback& feedback() const { return feedback_; }
  const WinchLimits& limits() const { return limits_; }
  const Body& body() const { return body_; }
  Body& body() { return body_; }

 private:
  void misbehave();
  void disable_all();
  void measure();
  void report();

  Body body_;
  StationOptions options_;
  WinchLimits limits_;
  WinchFaults* faults_;
  std::vector<VirtualWinch> winches_;
  cables::PerCable slipped_;  // m, more unwound than the encoders know
  StationCommand order_;
  std::uint16_t raised_ = 0;  // enable bits that cannot rise, as they have not fallen
  double age_ = 0;            // s since the order
  double unfed_ = 0;          // s since the counter changed
  StationState state_;
  WinchFeedback feedback_;
  cables::PerCable cells_;  // N, as measured
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace tandem::cable_robot
