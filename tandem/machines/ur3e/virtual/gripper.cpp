// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/gripper.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

// A spring between spindle and finger: 100 rad/s with the drive's inertia, well damped at 2 ms.
constexpr double stiffness = 2e4;      // N/m
constexpr double damping = 320;        // N s/m
constexpr double arrival = 0.12e-3;    // m, about a count of POS
constexpr double rest = 1e-3;          // m/s
constexpr double patience = 0.030;     // s, at rest before it counts as stopped
constexpr double idle_current = 0.03;  // A

}  // namespace

VirtualGripper::VirtualGripper(const sim::World& world) {
  for (std::size_t i = 0; i < 2; ++i) {
    joints_[i] = world.joint(hand::finger_joints[i]);
    motors_[i] = world.actuator(hand::finger_joints[i]);
  }
}

void VirtualGripper::reset(sim::World& world) {
  for (const sim::Joint joint : joints_) world.place(joint, hand::finger_stroke);
  for (const sim::Actuator motor : motors_) world.control(motor, 0);
  command_ = {};
  reference_ = target_ = hand::finger_stroke;
  strength_ = hand::least_force;
  still_ = force_ = 0;
  state_ = {};
  state_.finger = hand::finger_stroke;
  state_.position = hand::position_from_finger(state_.finger);
}

void VirtualGripper::drive(sim::World& world, const GripperCommand& command, bool powered) {
  double speed = 0;
  if (powered) {
    if (command.go) {
      target_ = hand::finger_from_position(command.position);
      speed = hand::speed_from(command.speed);
      strength_ = hand::force_from(command.force);
    } else if (command_.go) {
      target_ = state_.finger;
    }
    if (command.go && (command.position != command_.position || !command_.go)) {
      still_ = 0;
      state_.grip = Grip::moving;
    }
    command_ = command;
  }
  const double most_step = speed * world.timestep();
  const double moved = std::clamp(target_ - reference_, -most_step, most_step);
  const double stretch = strength_ / stiffness;
  reference_ = std::clamp(reference_ + moved, state_.finger - stretch, state_.finger + stretch);
  force_ = stiffness * (reference_ - state_.finger) + damping * (moved / world.timestep() - state_.speed);
  force_ = std::clamp(force_, -strength_, strength_);
  for (const sim::Actuator motor : motors_) world.control(motor, force_);
}

void VirtualGripper::measure(const sim::World& world) {
  state_.finger = (world.position(joints_[0]) + world.position(joints_[1])) / 2;
  state_.speed = (world.velocity(joints_[0]) + world.velocity(joints_[1])) / 2;
  state_.position = hand::position_from_finger(state_.finger);
  state_.force = force_;
  state_.current = idle_current + hand::most_current * std::abs(force_) / hand::most_force;
  judge(world.timestep());
}

void VirtualGripper::judge(double timestep) {
  if (!command_.go) {
    state_.grip = Grip::arrived;
    return;
  }
  const double remaining = target_ - state_.finger;
  if (std::abs(remaining) < arrival && std::abs(state_.speed) < rest) {
    state_.grip = Grip::arrived;
    still_ = 0;
    return;
  }
  // Pulled as hard as it may and yet not moving.
  const bool stuck = std::abs(reference_ - state_.finger) > 0.9 * strength_ / stiffness;
  still_ = stuck && std::abs(state_.speed) < rest ? still_ + timestep : 0;
  if (still_ >= patience)
    state_.grip = remaining < 0 ? Grip::stopped_closing : Grip::stopped_opening;
  else if (std::abs(state_.speed) > 3 * rest)
    state_.grip = Grip::moving;
}

}  // namespace tandem::ur3e
