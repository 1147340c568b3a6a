// SPDX-License-Identifier: Apache-2.0
// One winch: drum, motor, brake, encoder and load cell. SI; it knows no registers and no clock.
#pragma once

#include <cstdint>

#include "tandem/machines/cable_robot/description.hpp"

namespace tandem::cable_robot {

// What a winch is to do.
struct WinchOrder {
  WinchMode mode = WinchMode::hold;
  double length = 0;   // m, unwound
  double speed = 0;    // m/s, positive unwinds: feed-forward in both moving modes
  double tension = 0;  // N
  double age = 0;      // s since it was given
};

class VirtualWinch {
 public:
  // How long an order's speed counts: the length goes on with it between two commands, and stays where it is after
  // that.
  static constexpr double glide = 0.02;  // s

  // `stiffness` is that of its cable, N: what its tension loop is tuned for.
  VirtualWinch(double unwound, double stiffness) : stiffness_(stiffness), position_(unwound), reference_(unwound) {}

  // No effect while a fault is latched.
  void enable(bool on);
  void clear_faults() { latched_ = 0; }
  void break_sensor() { latch(WinchFlag::sensor); }
  void stick(bool stuck) { stuck_ = stuck; }
  // The drum is there, at rest.
  void place(double unwound);

  // Time goes on by `dt`; `tension` is what the load cell says.
  void step(const WinchOrder& order, const WinchLimits& limits, double tension, double dt);

  double length() const { return position_; }  // m, unwound, by the encoder
  double speed() const { return speed_; }      // m/s
  bool enabled() const { return enabled_; }
  bool faulty() const { return latched_ != 0; }
  std::uint16_t flags() const;

 private:
  void latch(WinchFlag flag);
  double length_wish(const WinchOrder& order, const WinchLimits& limits, double dt) const;
  double tension_wish(const WinchOrder& order, const WinchLimits& limits, double tension, double dt);
  void follow(double wish, const WinchLimits& limits, double dt);
  void brake(const WinchLimits& limits, double dt);
  void watch(const WinchLimits& limits, double tension, double dt);

  double stiffness_;             // N
  double position_, speed_ = 0;  // of the drum as length of cable, m and m/s
  double reference_, pace_ = 0;  // what the drum follows, within its limits, m and m/s
  double sum_ = 0;               // m/s, of the tension loop's integral
  double over_ = 0;              // s, for how long the tension has been too high
  WinchMode mode_ = WinchMode::hold;
  bool enabled_ = false;
  bool stuck_ = false;
  std::uint16_t latched_ = 0;
  std::uint16_t seen_ = 0;  // slack and at_end
};

}  // namespace tandem::cable_robot
