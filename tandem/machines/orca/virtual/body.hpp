// SPDX-License-Identifier: Apache-2.0
// The submarine's body in the water: weight and contact by MuJoCo, and Fossen's terms on top: buoyancy, drag, added
// mass, thrusters. Sensors are asked about it; the autopilot never looks at it.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string_view>

#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/virtual/model.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::orca {

using Pulses = std::array<double, thruster_count>;  // us, one per thruster
inline constexpr Pulses still{pwm_stop, pwm_stop, pwm_stop, pwm_stop, pwm_stop, pwm_stop};

struct BodyOptions {
  Hull hull;
  ModelOptions model;
  Pose X_map_start = Pose(Eigen::Translation3d(0, 0, start_height));
  Eigen::Vector3d current = Eigen::Vector3d::Zero();  // m/s, velocity of the water, map axes
  double thruster_lag = 0.05;                         // s, time constant of the thrust
  double dead_band = 25;                              // us about pwm_stop in which a thruster stands
};

// The present state, exact.
struct Truth {
  double time = 0;                                     // s since the start, simulated
  Pose X_map_base = Pose::Identity();                  // ENU from FLU
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, of base_link, map axes
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();   // rad/s, body axes
  // What an ideal accelerometer at base_link felt in the mean of the last step, m/s^2, body axes; (0, 0, g) at rest.
  Eigen::Vector3d specific_force{0, 0, gravity};
  std::array<double, thruster_count> thrusts{};  // N
  double submerged = 1;                          // part of the hull in the water, 0 to 1
  bool grounded = false;                         // the hull touches the sea floor
};

// Thrust that a pulse asks for in the end, N. Beyond 1100 to 1900 us counts as the nearer end; what is no pulse at all
// (not finite, under 800 or over 2200 us) stops the thruster.
double thrust_from_pulse(double microseconds, double dead_band);

class Body {
 public:
  // Throws std::invalid_argument for an invalid time step or start.
  explicit Body(const BodyOptions& options = {});

  // What the thrusters are commanded from now on.
  void pulses(const Pulses& microseconds);
  void current(const Eigen::Vector3d& velocity);  // m/s, map axes; not finite: still water
  // One time step. False when the physics has tripped: the truth is then the last good one and stays so until reset().
  bool step();
  // As after construction, thrusters standing.
  void reset();
  // At rest, thrusters standing; the time goes on. Throws std::invalid_argument for a pose that is none.
  void place(const Pose& X_map_base);
  // Goes on from the present state in steps of another length, s. Throws std::invalid_argument as the constructor does.
  void timestep(double seconds);

  double timestep() const { return options_.model.timestep; }
  const Truth& truth() const { return truth_; }
  const BodyOptions& options() const { return options_; }
  std::string_view cause() const { return world_.cause(); }  // of the trip; empty while all is well

 private:
  void drive();
  void observe();

  BodyOptions options_;
  std::array<Thruster, thruster_count> thrusters_;
  Eigen::Matrix<double, 6, 6> rigid_;  // inertia without water: about base_link, body axes, linear then angular
  sim::World world_;
  sim::Body body_;
  std::array<double, thruster_count> asked_{};  // N
  Truth truth_;
};

}  // namespace tandem::orca
