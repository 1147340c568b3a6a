// The truck's four axes: from targets and measurements to what its motors are told. Knows no clock, no registers and no
// directions of motors; SI and the joints' own signs throughout.
#pragma once

#include <array>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ackermann.hpp"
#include "tandem/kinematics/pid.hpp"

namespace tandem::raptorlift {

using kinematics::ackermann::Wheels;

// For the PLC: front right, front left; rear right, rear left.
struct AxisCommands {
  std::array<double, 2> speed_limits{};  // rad/s, 0 and above
  std::array<double, 2> positions{};     // rad, of the steering
  std::array<double, 4> torques{};       // N m, traction first
  friend bool operator==(const AxisCommands&, const AxisCommands&) = default;
};

struct DriveOptions {
  kinematics::PidGains traction{10, 5, 0, 100, 150};  // rad/s to N m
  kinematics::PidGains steering{50, 0, 5, 100, 100};  // rad to N m
  double most_speed = 10;                             // rad/s, of a driven wheel, each way
  double steering_limit = 0.7;                        // rad, each way
  double brake_torque = 30;                           // N m, against the motion
  double brake_fade =
      3;  // rad/s: below, the brake fades; as stiff as the traction's own control, so that it does not chatter
  // rad/s^2: 1.5 times the full brake's deceleration of an empty truck, as margin for friction and for commands that
  // are sent 0.2 s apart.
  double slowing = 25;
  double standstill = 0.05;  // rad/s: slower than this is standing
};

class Drive {
 public:
  explicit Drive(const DriveOptions& options);

  // Toward the targets, `dt` seconds after the last step. Targets out of range are brought into it and counted; numbers
  // that are not finite are errors, which name the wheel, and nothing is learned from them.
  Result<AxisCommands> step(const Wheels& targets, const Wheels& measured, double dt);
  // Against the motion of each wheel and less the slower it turns, down to nothing; the steering stays where it was
  // when the braking began. Never an error: a wheel whose speed is not known is not braked.
  AxisCommands brake(const Wheels& measured, double dt);
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
  double within(double value, double limit);
  double brake_torque(double speed) const;
  double left_of(double speed, double unseen) const;

  DriveOptions options_;
  std::array<kinematics::Pid, 2> traction_, steering_;
  bool braking_ = false;
  std::array<double, 2> kept_{};  // rad, the steering while braking
  std::uint64_t saturated_ = 0;
};

}  // namespace tandem::raptorlift
