// SPDX-License-Identifier: Apache-2.0
// From the present set point to where the platform shall be: limited in speed and acceleration, never out of the
// workspace, and may get another target at any moment.
#pragma once

#include "tandem/base/result.hpp"
#include "tandem/machines/cable_robot/control/border.hpp"

namespace tandem::cable_robot {

enum class Outside : std::uint8_t {
  refuse,   // a target outside, or one whose straight way leads outside, is an error
  project,  // the last pose of the straight way that is inside takes its place
};
const char* name(Outside outside);

struct PathLimits {
  double speed = 0.3, acceleration = 1.5;                // m/s, m/s^2
  double angular_speed = 1.5, angular_acceleration = 8;  // rad/s, rad/s^2
};

struct PathOptions {
  PathLimits limits;
  Outside outside = Outside::refuse;
  BorderOptions border;
};

struct SetPoint {
  Pose pose = Pose::Identity();                    // X_world_platform
  cables::Twist velocity = cables::Twist::Zero();  // of the origin, world axes
  cables::Twist acceleration = cables::Twist::Zero();
};

class Path {
 public:
  Path(const cables::Robot& robot, const PathOptions& options);

  // At rest here, and nowhere else to go.
  void restart(const Pose& pose);
  // Goes there from now on; translation and rotation end together. What comes back is where it goes.
  // Fault::unsupported, with the cable, the bound and how far, for what is outside (see Outside).
  Result<Pose> target(const Pose& pose);
  // A moving reference for the next step: caught up with, then followed exactly. Without a new one before the next step
  // the last one is a target. Outside, or faster than the limits, it is not followed.
  Result<void> follow(const SetPoint& reference);
  // Comes to rest as fast as it may.
  void brake();

  // `dt` seconds later; more than 20 ms count as 20 ms, and what is no time is none.
  const SetPoint& step(double dt);

  const SetPoint& now() const { return now_; }
  bool arrived() const { return arrived_; }          // where it was to be, or at rest where it was stopped
  bool at_border() const { return at_border_; }      // stopped there, as the way led outside
  const Look& border_seen() const { return seen_; }  // what stopped it
  const Border& border() const { return border_; }
  // Cable `i` holds nothing any more; see Border.
  void give_up(int i, double least, double reserve) { border_.give_up(i, least, reserve); }
  // From rest: tilts a little where that helps, then straight down, as far as the cables hold it or to the floor. Each
  // call looks at one way, at most 79 of them, until it says whether there is one: false, the cables do not hold the
  // platform here however it is tilted.
  std::optional<bool> lower(const PathLimits& limits);

 private:
  struct WayDown {
    int looked_at = 0;
    double depth = -1;  // m; negative: none yet
    Pose first = Pose::Identity(), last = Pose::Identity();
  };
  struct Pace {
    double speed, acceleration;  // of what is left, scaled so that both parts end together
  };
  void pace_for(const Pose& goal);
  SetPoint moved(double dt) const;                           // on towards the goal
  SetPoint braked(double dt) const;                          // slower
  double depth_below(const Pose& from, Pose& lowest) const;  // m
  void consider(const Eigen::Vector3d& tilt);                // as a way down
  Pose rest_of(const SetPoint& from) const;                  // where braking from there ends

  PathOptions options_;
  Border border_;
  SetPoint now_, goal_;
  std::optional<Pose> then_;  // the next goal
  Pace linear_{}, angular_{};
  Look seen_;
  WayDown down_;
  bool was_inside_ = false, braking_ = false, following_ = false, arrived_ = true, at_border_ = false;
};

}  // namespace tandem::cable_robot
