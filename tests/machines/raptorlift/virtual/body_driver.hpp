// SPDX-License-Identifier: Apache-2.0
// The controllers of a bridge on a truck with physics, without the PLC between them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/kinematics/pid.hpp"
#include "tandem/machines/raptorlift/virtual/body.hpp"

namespace tandem::raptorlift {

namespace ackermann = kinematics::ackermann;

inline constexpr double control_period = 0.01;  // s
inline const Description truck;

// 100 Hz, the original project's gains.
struct BodyDriver {
  explicit BodyDriver(const ModelOptions& options = {}) : body(truck, options) {
    for (std::size_t i = 0; i < 4; ++i)
      pids[i] =
          kinematics::Pid(i < 2 ? kinematics::PidGains{10, 5, 0, 100, 150} : kinematics::PidGains{50, 0, 5, 100, 100});
  }

  void control(const ackermann::Wheels& targets) {
    const Axes wanted = {targets.front_right, targets.front_left, targets.rear_right, targets.rear_left};
    const TruckState& state = body.state();
    Axes torques{};
    for (std::size_t i = 0; i < 4; ++i)
      torques[i] = pids[i].step(wanted[i], i < 2 ? state.speeds[i] : state.angles[i], control_period);
    body.torques(torques);
    const long steps = std::lround(control_period / body.timestep());
    for (long i = 0; i < steps; ++i) REQUIRE(body.step());
    body.look();
    slip = std::max(slip, body.state().slip);
  }

  // Gently up to the twist, as a bridge does: 1 m/s^2.
  void drive(const ackermann::Twist& twist, double time) {
    for (double t = 0; t < time; t += control_period) {
      const double share = std::min(1.0, t / std::max(std::abs(twist.v), 1e-9));
      auto command = ackermann::wheels_from_twist(truck.geometry, twist);
      REQUIRE(command.ok());
      command->wheels.front_right *= share;
      command->wheels.front_left *= share;
      control(command->wheels);
    }
  }

  Body body;
  std::array<kinematics::Pid, 4> pids;
  double slip = 0;  // m/s, the most so far
};

}  // namespace tandem::raptorlift
