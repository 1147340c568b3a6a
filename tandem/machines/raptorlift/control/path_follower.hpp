// SPDX-License-Identifier: Apache-2.0
// Along a route: from where odometry has the truck to the twist that brings it back to the path and along it. Stops at
// the end of what is released, at cusps and when paused. Knows no device; never allocates.
#pragma once

#include <optional>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/kinematics/ackermann/route.hpp"
#include "tandem/machines/raptorlift/route_command.hpp"

namespace tandem::raptorlift {

struct FollowerOptions {
  double most_curvature = 0.6485;  // 1/m, of the truck
  double acceleration = 0.5;       // m/s^2
  double pause_braking = 1;        // m/s^2
  double reach = 0.7;              // m: errors fade with the path as exp(-s/reach)
  double steering_lag = 0.15;      // s, between asking for a curvature and having it
  double speed_lag = 0.2;          // s, the same for the speed
  double approach = 1.5;           // 1/s: the last of the way
  double creeping = 0.03;          // m/s, down to the stop
  double short_of = 0.005;         // m, before the end of what is released: it aims there
  double deviation = 0.3;          // m, where a corridor allows more
  double heading = 0.8;            // rad
  Duration timeout = 500ms;        // of a RouteCommand
};

class PathFollower {
 public:
  explicit PathFollower(const FollowerOptions& options = {}) : options_(options) {}

  struct Seen {
    kinematics::ackermann::PlanarPose X_odom_axle;
    double speed = 0;      // m/s, forward
    double curvature = 0;  // 1/m, by the measured steering
    bool standstill = true;
  };

  // A command without a route withdraws the one there is: the truck has no command of the fleet any more.
  void take(const RouteCommand& command);
  // The route is over and never continues: any id up to this one is ignored from now on.
  void end(std::string_view why);
  // The same, as an input of higher priority has driven.
  void overrule(std::string_view input);
  // A route is driven, or waits, and is not ended: also while its commands are late.
  bool holds_route() const;

  // What the truck is to do, `dt` seconds after the last step. Nothing without a newly heard route; a truck whose route
  // has failed is held as long as the commands continue.
  std::optional<kinematics::ackermann::Twist> step(const Seen& seen, Instant now, double dt);

  const RouteProgress& progress() const { return progress_; }

 private:
  kinematics::ackermann::RoutePoint place(double distance) const;
  void project(const kinematics::ackermann::PlanarPose& X_odom_axle);
  bool off_path(const kinematics::ackermann::RoutePoint& point, double heading_error);
  double wanted_speed(const kinematics::ackermann::RoutePoint& point, const Seen& seen, double most, double dt);
  double wanted_curvature(double heading_error, double speed, double sign) const;
  kinematics::ackermann::Twist halt(const Seen& seen);

  FollowerOptions options_;
  RouteCommand command_;
  RouteProgress progress_;
  std::uint64_t ended_ = 0;     // this id and all below
  double begin_ = 0, end_ = 0;  // m, of the piece of one direction that the truck is on
  double speed_ = 0;            // m/s along the path, asked for last
  double halted_at_ = -1;       // m: the end it stands at
};

}  // namespace tandem::raptorlift
