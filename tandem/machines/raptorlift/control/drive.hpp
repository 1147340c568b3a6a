// SPDX-License-Identifier: Apache-2.0
// The truck's four axes: from targets and measurements to what its motors are commanded. Knows no clock, no registers
// and no directions of motors; SI and the joints' own signs throughout.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/pid.hpp"
#include "tandem/machines/raptorlift/axes.hpp"

namespace tandem::raptorlift {

inline constexpr double slowing_margin = 1.5;

struct DriveOptions {
  kinematics::PidGains traction{10, 5, 0, 100, 150};  // rad/s to N m
  kinematics::PidGains steering{50, 0, 5, 100, 100};  // rad to N m
  double most_speed = 10;                             // rad/s, of a driven wheel, each way
  double steering_limit = 0.7;                        // rad, each way
  double brake_torque = 30;                           // N m, against the motion
  double brake_fade = 0.3;                            // rad/s: full torque above, fading with the speed below
  // rad/s: the same where the speed is not known well: not seen, or already reversed once. As stiff as the traction's
  // own control, so that the brake does not chatter where that does not.
  double soft_fade = 3;
  // rad/s^2: slowing_margin times the full brake's deceleration of an empty truck, as margin for friction and for
  // commands that are sent 0.2 s apart.
  double slowing = 25;
  double standstill = 0.05;  // rad/s: slower than this is standing
};

// One command of the brake.
struct BrakeStep {
  double dt;         // s, since the last command
  double worst = 0;  // s, the longest such time of late: the brake fades as early as that asks for
  bool seen = true;  // the wheels have been measured since the last command
};

class Drive {
 public:
  explicit Drive(const DriveOptions& options);

  // Toward the targets, `dt` seconds after the last step. Targets out of range are brought into it and counted; numbers
  // that are not finite are errors, which name the wheel, and nothing is learned from them.
  Result<AxisCommands> step(const Wheels& targets, const Wheels& measured, double dt);
  // Against the motion of each wheel: the full torque until standstill is near, then less the slower it turns, down to
  // nothing; the steering stays where it was when the braking began. With a speed limit of 0, so that a PLC which obeys
  // that gives no torque past standstill when the next command is late. Never an error: a wheel whose speed is not
  // known is not braked.
  AxisCommands brake(const Wheels& measured, const BrakeStep& step);
  // s: when a wheel would stand if the last command of brake() were not replaced; infinity when none is braked. Past
  // that the command would turn it back.
  double stands_in() const;
  // As brake(), for wheels last measured `unseen` seconds ago and braked since: by the speed predicted for an empty
  // truck, so that the brake ends before it could reverse one. A loaded truck is then left to the PLC's watchdog. The
  // steering keeps its target, without torque.
  AxisCommands brake_unseen(const Wheels& last_known, double unseen) const;
  // Forgets everything, as before a start.
  void reset();

  bool standing(const Wheels& measured) const;
  std::uint64_t saturated() const { return saturated_; }  // targets that were out of range
  const DriveOptions& options() const { return options_; }

 private:
  // What is known of a driven wheel while it is braked.
  struct Braked {
    double speed = 0;                                            // rad/s, measured last
    double left = 0;                                             // rad/s, predicted for the moment of the last command
    double torque = 0, previous = 0;                             // N m, of the last two commands
    double response = 0;                                         // rad/s of speed per N m s; 0: as an empty truck
    bool reversed = false;                                       // its speed has changed sign: softly from here on
    double stands_in = std::numeric_limits<double>::infinity();  // s, at the last command
  };

  double within(double value, double limit);
  double brake(Braked& wheel, double speed, const BrakeStep& step) const;
  double soft_brake(double speed) const;
  double left_of(double speed, double unseen) const;

  DriveOptions options_;
  std::array<kinematics::Pid, 2> traction_, steering_;
  bool braking_ = false;
  std::array<Braked, 2> braked_;
  double last_dt_ = 0;            // s, between the last two commands of the brake
  std::array<double, 2> kept_{};  // rad, the steering while braking
  std::uint64_t saturated_ = 0;
};

}  // namespace tandem::raptorlift
