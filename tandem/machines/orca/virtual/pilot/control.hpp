// SPDX-License-Identifier: Apache-2.0
// The virtual autopilot's loops, from what is wanted to the thrusters' pulses. Axes are FRD and NED.
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/virtual/pilot/estimator_state.hpp"

namespace tandem::orca {

// Shares of what the thrusters can do, -1 to 1 each: nose right, right side down, nose up; up, forward, to the right.
struct Demand {
  double roll = 0, pitch = 0, yaw = 0, throttle = 0, forward = 0, lateral = 0;
  friend bool operator==(const Demand&, const Demand&) = default;
};

// What full demand gives along each axis, N and N m; zero where no thruster acts.
struct Authority {
  double roll = 0, pitch = 0, yaw = 0, throttle = 0, forward = 0, lateral = 0;
};
Authority authority();

Demand demand_from(const Eigen::Vector3d& force, const Eigen::Vector3d& torque);  // FRD, N and N m
Demand operator+(const Demand& a, const Demand& b);

// us, for thrust that is proportional to the demand. Where thrusters cannot give the sum, those that share an axis give
// less together, so that the direction stays.
std::array<double, thruster_count> pulses_from(const Demand& demand);

struct Gains {
  double attitude = 3;        // 1/s: rad of error to rad/s
  double rate = 7;            // 1/s: rad/s of error to rad/s^2
  double rate_integral = 5;   // 1/s^2
  double most_rate = 1.5;     // rad/s
  double position = 0.8;      // 1/s: m of error to m/s
  double depth = 1;           // 1/s
  double speed = 2.5;         // 1/s: m/s of error to m/s^2
  double speed_integral = 1;  // 1/s^2
  double most_integral = 1;   // m/s^2
};

// Holds an attitude, or turns at a rate.
class AttitudeControl {
 public:
  explicit AttitudeControl(const Gains& gains = {}) : gains_(gains) {}

  void reset() { integral_.setZero(); }
  // N m that turn the body to `wanted`, at `yaw_rate` on top.
  Eigen::Vector3d hold(const Estimate& estimate, const Eigen::Quaterniond& wanted, double yaw_rate, double dt);
  // N m for these rates, rad/s.
  Eigen::Vector3d turn(const Estimate& estimate, const Eigen::Vector3d& wanted, double dt);

 private:
  Gains gains_;
  Eigen::Vector3d integral_ = Eigen::Vector3d::Zero();  // rad/s^2
};

// Moves at a velocity.
class VelocityControl {
 public:
  explicit VelocityControl(const Gains& gains = {}) : gains_(gains) {}

  void reset() { integral_.setZero(); }
  void reset_level() { integral_.head<2>().setZero(); }
  // N, FRD, for this velocity, m/s NED. Without `level` only the vertical part is controlled.
  Eigen::Vector3d force(const Estimate& estimate, const Eigen::Vector3d& wanted, bool level, double dt);

 private:
  Gains gains_;
  Eigen::Vector3d integral_ = Eigen::Vector3d::Zero();  // m/s^2, NED
};

// A point that goes straight to where the vehicle shall be, and waits for the vehicle when that lags behind.
class Carrot {
 public:
  void start(const Eigen::Vector3d& position) { position_ = position; }
  // m/s NED that bring the vehicle along; limits in m/s.
  Eigen::Vector3d velocity(const Estimate& estimate, const Eigen::Vector3d& destination, double level_speed,
                           double vertical_speed, const Gains& gains, double dt);
  const Eigen::Vector3d& position() const { return position_; }

 private:
  static constexpr double leash = 0.6;  // m

  Eigen::Vector3d position_ = Eigen::Vector3d::Zero();  // NED
};

}  // namespace tandem::orca
