// SPDX-License-Identifier: Apache-2.0
// Driving by keys: what a truck is commanded, and for how long. Knows no terminal, no ROS and no clock.
#pragma once

#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/machines/device_facts.hpp"

namespace tandem::app {

enum class TeleopKey { none, forward, back, left, right, halt, stop, faster, slower, quit };

// Keys from a terminal's bytes: w s a d, the arrows in both forms that terminals send (ESC [ A, ESC O A), space, x, + -
// and q. A sequence may come in pieces; what is no key of ours is skipped.
class TeleopKeys {
 public:
  TeleopKey take(char byte);

 private:
  enum class Place { plain, escape, sequence } place_ = Place::plain;
};

class TeleopDrive {
 public:
  static constexpr Duration hold = 500ms;       // a key counts for this long; terminals repeat a held one sooner
  static constexpr Duration halt_to_stop = 1s;  // a second halt within this asks the machine itself to stop
  using Twist = kinematics::ackermann::Twist;   // m/s, rad/s

  explicit TeleopDrive(const machines::KeyDrive& keys) : keys_(keys), gear_(keys.first_gear) {}

  enum class Effect {
    none,
    drives,        // another speed or turn
    gear,          // another gear
    halts,         // speed 0
    stop_machine,  // the machine is to be asked for its latched stop
    quit
  };
  // Forward and back go straight; left and right keep the speed that there is, and turn. Every key counts as held
  // until `hold` is over; one that only shifts does not start that.
  Effect press(TeleopKey key, Instant now);

  // What to command the truck now: nothing while no key is held. Right after the last one it is commanded to halt,
  // once.
  std::optional<Twist> twist(Instant now);
  // What the keys say, held or not.
  Twist wanted() const { return {direction_ * gear_speed(), turn_ * keys_.turn}; }
  bool held(Instant now) const { return pressed_ && now - *pressed_ <= hold; }
  int gear() const { return gear_; }
  double gear_speed() const { return keys_.gear_speed(gear_); }  // m/s

 private:
  Effect drive(double direction, double turn, Instant now);
  Effect shift(int gear, Instant now);

  machines::KeyDrive keys_;
  int gear_;
  double direction_ = 0, turn_ = 0;  // -1, 0 or 1: back or forward, right or left
  std::optional<Instant> pressed_;   // the last key, until the truck was commanded to halt
  std::optional<Instant> halted_;    // the last key, if that was halt
};

}  // namespace tandem::app
