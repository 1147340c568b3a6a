// SPDX-License-Identifier: Apache-2.0
// What the arm is commanded to do, cycle by cycle: paths that melt into each other, servo targets, speeds, stops.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tandem/kinematics/trajectory/servo.hpp"
#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tandem/machines/ur3e/virtual/motion/path.hpp"

namespace tandem::ur3e {

using kinematics::trajectory::ServoFollower;
using kinematics::trajectory::ServoSettings;
using Twist6 = kinematics::ur::Vector6;  // velocity (m/s), then angular velocity (rad/s), base axes

class Motion {
 public:
  explicit Motion(const Joints& q) : q_(q), hold_(q) {}
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;

  // While a claim lives, its thread has the arm. Dropped before it is settled, what it began is stopped.
  class Claim {
   public:
    explicit Claim(Motion& motion, int thread) : motion_(motion), thread_(thread) {}
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim();
    void settle() { settled_ = true; }  // what was begun may go on
    int thread() const { return thread_; }

   private:
    Motion& motion_;
    int thread_;
    bool settled_ = false;
  };
  Result<std::shared_ptr<Claim>> claim(int thread);

  // Where the next path begins: where the arm comes to rest if nothing else is asked of it.
  Joints rest();
  // From rest(). When something still moves, both motions add up: that is the blend.
  void follow(std::unique_ptr<Path> path, double blend_at);
  bool passed() const;   // the path has come to its blend, or to its end
  bool at_rest() const;  // nothing moves any more
  bool braking() const { return current_.unscaled || along_slope_ > 0; }  // a stop is under way

  // A command that lasts `time` (s at full speed, longer under a slider) and begins now, or where the last one ended
  // when that was within this cycle: many short ones last as long as one long one, whatever the slider says.
  double turn(double time);  // gives its end, for over()
  bool over(double end) const { return elapsed_ >= end - 1e-9; }

  Result<void> servo(const Joints& target, const ServoSettings& settings);
  void speed(const Joints& wanted, double acceleration);
  void tool_speed(const Twist6& wanted, double acceleration, double rotation_acceleration, const Pose& X_flange_tcp);
  bool speed_reached() const;
  // The tool straight towards this pose, at most at this speed and acceleration (m/s, m/s^2), and to rest there.
  void tool_servo(const Pose& target, double speed, double acceleration, const Pose& X_flange_tcp);
  // For the coming cycle: the arm stops unless each cycle brings a new one.
  void torque(const Joints& torque);
  void freedrive(bool on);
  // Joints together, the fastest with this deceleration (rad/s^2).
  void stop(double deceleration);
  // The tool stays on its path and comes to rest within this time (s).
  void stop_along(double time);
  // A protective stop: to rest without leaving the path, the fastest joint with this deceleration (rad/s^2), until the
  // rate allows to go on. What has no path to go on with ends: freedrive, torque, a stop under way.
  void freeze(double deceleration);
  // The same at once and here, off the path, to which the arm returns before it goes on.
  void freeze_at(const Joints& q);
  // Added to everything else for the coming cycle (rad/s): force control, a path offset.
  void yield(const Joints& velocity) { yielding_ = velocity, yields_ = true; }
  // While true, what was added stays beside the plan (a path offset, which is added again to whatever is planned). Else
  // a stop makes it part of the plan, as the arm stays where it is.
  void keep_added(bool keep) { keeps_added_ = keep; }
  // What was added becomes part of the plan, with its speed; to be followed by a stop.
  void absorb_added();
  // Stand here, now: brakes were on, or a hand moved the arm.
  void hold(const Joints& q);

  // One cycle at this rate (0 to 1) of everything; `actual` is where the arm is.
  void step(double dt, double rate, const Joints& actual);

  Drive drive() const;
  const Joints& position() const { return q_; }             // rad, at the end of the cycle
  const Joints& planned() const { return hold_; }           // rad, without what force control or a path offset adds
  const Joints& planned_velocity() const { return real_; }  // rad/s, of planned()
  const Joints& velocity() const { return out_speed_; }
  const Joints& acceleration() const { return out_acceleration_; }
  const Joints& torque() const { return torque_; }
  Joints target() const { return current_.path ? current_.path->end() : hold_; }  // the way-point that is headed for
  double rate() const { return rate_; }
  bool limit_hit() const { return limit_hit_; }  // a speed or servo target ran into a joint limit

 private:
  enum class Mode { path, servo, speed, tool_speed, tool_servo, freedrive, torque };
  struct Active {
    std::unique_ptr<Path> path;
    double time = 0;
    double blend_at = 0;
    bool unscaled = false;  // a stop: the slider does not make it longer
  };

  void begin(Mode mode);
  void advance_paths(double dt, double scale);
  void advance_servo(double dt);
  void advance_speed(double dt);
  void advance_tool_speed(double dt);
  void advance_tool_servo(double dt);
  void follow_twist(double dt);
  void guide(double dt, const Joints& actual);
  bool guided() const { return mode_ == Mode::freedrive || mode_ == Mode::torque; }
  void keep_limits();

  Mode mode_ = Mode::path;
  Claim* owner_ = nullptr;
  Active current_;
  std::vector<Active> tails_;      // what ends while something newer has begun
  Joints q_;                       // commanded
  Joints hold_;                    // while no path is followed, or its end
  Joints speed_ = Joints::Zero();  // rad/s at rate 1, of servo and speed targets
  Joints real_ = Joints::Zero();   // rad/s, of hold_
  Joints out_speed_ = Joints::Zero(), out_acceleration_ = Joints::Zero();
  Joints offset_ = Joints::Zero();  // what force control or a path offset has added, rad
  Joints yielding_ = Joints::Zero();
  bool yields_ = false;       // in this cycle, if only by zero: what was added stays
  bool keeps_added_ = false;  // beside the plan
  Joints torque_ = Joints::Zero();
  bool torque_given_ = false;  // for the coming cycle

  std::optional<ServoFollower> servo_;
  Joints wanted_ = Joints::Zero();
  Twist6 twist_ = Twist6::Zero(), wanted_twist_ = Twist6::Zero();
  Pose X_flange_tcp_ = Pose::Identity();
  Pose tool_target_ = Pose::Identity();
  double most_tool_speed_ = 0;           // m/s
  double ramp_ = 1, rotation_ramp_ = 1;  // rad/s^2 or m/s^2, and rad/s^2

  double rate_ = 1;
  double elapsed_ = 0;                  // s, time as the slider lets it pass
  double last_step_ = 0;                // s of it in the last cycle
  double turn_end_ = 0;                 // of the last command that lasts a time
  double freeze_slope_ = 0;             // 1/s, of the rate on its way to zero, when more than usual
  double along_ = 1, along_slope_ = 0;  // braking on the path
  bool limit_hit_ = false;
};

}  // namespace tandem::ur3e
