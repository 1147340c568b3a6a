// SPDX-License-Identifier: Apache-2.0
// The Hand-E's drive: takes Robotiq's numbers, moves two coupled fingers, and notices what stops them.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/sim/world.hpp"

namespace tandem::ur3e {

struct GripperCommand {
  std::uint8_t position = 0;  // 0 open, 255 closed
  std::uint8_t speed = 255;
  std::uint8_t force = 50;
  bool go = false;  // false: stay where you are
};

enum class Grip : std::uint8_t {  // the numbers are Robotiq's OBJ
  moving = 0,
  stopped_opening = 1,  // by something, before the requested position
  stopped_closing = 2,
  arrived = 3,
};

struct GripperState {
  Grip grip = Grip::arrived;
  std::uint8_t position = 0;  // where it is, Robotiq's units
  double finger = 0;          // m, of each finger, 0 closed
  double speed = 0;           // m/s, of each finger, positive opens
  double force = 0;           // N, of the motor on each finger, positive opens
  double current = 0;         // A
};

class VirtualGripper {
 public:
  explicit VirtualGripper(const sim::World& world);

  // Fully open and at rest; forgets every command.
  void reset(sim::World& world);
  // Sets the motors' forces for the next step. Without power the spindle is blocked: fingers and grip stay.
  void drive(sim::World& world, const GripperCommand& command, bool powered);
  // Reads the fingers after a step.
  void measure(const sim::World& world);
  const GripperState& state() const { return state_; }

 private:
  void judge(double timestep);

  std::array<sim::Joint, 2> joints_;
  std::array<sim::Actuator, 2> motors_;
  GripperCommand command_;
  double reference_ = 0;  // m, where the spindle pulls the fingers to
  double target_ = 0;     // m
  double strength_ = 0;   // N, the most it may apply
  double still_ = 0;      // s, stopped short of the target for this long
  double force_ = 0;      // N
  GripperState state_;
};

}  // namespace tandem::ur3e
