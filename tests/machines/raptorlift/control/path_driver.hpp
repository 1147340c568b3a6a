// SPDX-License-Identifier: Apache-2.0
// The machine's own parts on a truck with physics, without the PLC between them and faster than real time: follower,
// steering controller, drive. What counts is where the physics has the truck.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/control/path_follower.hpp"
#include "tandem/machines/raptorlift/control/steering_controller.hpp"
#include "tandem/machines/raptorlift/virtual/body.hpp"

namespace tandem::raptorlift {

namespace ackermann = kinematics::ackermann;

inline std::shared_ptr<const ackermann::Route> route_of(const ackermann::PlanarPose& start,
                                                        const std::vector<ackermann::Waypoint>& waypoints,
                                                        const std::vector<ackermann::Leg>& legs) {
  auto route = ackermann::plan_route(start, waypoints, legs, route_limits_from({}));
  REQUIRE_MESSAGE(route.ok(), (route ? "" : route.error().text));
  return std::make_shared<const ackermann::Route>(std::move(*route));
}

// m, how far a place is from a route; by places a centimetre apart.
inline double beside(const ackermann::Route& route, const ackermann::PlanarPose& pose) {
  double least = 1e9;
  for (double s = 0; s < route.length() + 0.01; s += 0.01) {
    const auto there = route.at(s).pose;
    least = std::min(least, std::hypot(there.x - pose.x, there.y - pose.y));
  }
  return least;
}

struct PathDriver {
  static constexpr double dt = 0.01;  // s

  explicit PathDriver(const ModelOptions& options = {})
      : body(description, options),
        steering({.geometry = description.geometry, .limits = description.limits, .base = base_point}),
        drive(DriveOptions{}) {
    settle();
  }

  // On its wheels, before it counts.
  void settle() {
    for (int i = 0; i < 50; ++i) REQUIRE(body.step());
  }
  ackermann::PlanarPose truth() const { return ackermann::PlanarPose{body::front_axle, 0, 0} * body.state().axle; }
  ackermann::Wheels wheels() const {
    const TruckState& state = body.state();
    return {state.speeds[0], state.speeds[1], state.angles[2], state.angles[3]};
  }
  void post(const std::shared_ptr<const ackermann::Route>& route, double released, bool paused = false,
            std::uint64_t id = 1) {
    command = {route, released, paused, id, now};
  }
  void step() {
    now += 10ms;
    const ackermann::Wheels measured = wheels();
    (void)steering.observe(measured, dt);
    command.at = now;
    follower.take(command);
    const PathFollower::Seen seen{
        .X_odom_axle = steering.X_odom_axle(),
        .speed = steering.base_twist().vx,
        .curvature = ackermann::curvature_from_steering(description.geometry, measured.rear_right, measured.rear_left),
        .standstill = drive.standing(measured)};
    const auto twist = follower.step(seen, now, dt);
    const auto targets = steering.step(twist, measured, dt);
    REQUIRE(targets.ok());
    const auto commands = drive.step(targets->wheels, measured, dt);
    REQUIRE(commands.ok());
    body.torques(commands->torques);
    for (long i = 0; i < std::lround(dt / body.timestep()); ++i) REQUIRE(body.step());
    fastest = std::max(fastest, std::abs(body.state().twist.vx));
    farthest = std::max(farthest, follower.progress().distance);
    most_deviation = std::max(most_deviation, std::abs(follower.progress().deviation));
    if (watched) most_beside = std::max(most_beside, beside(*watched, truth()));
  }
  // Until the truck stands for the route's sake, at most `time` seconds.
  bool until_standing(double time = 120) {
    for (double t = 0; t < time; t += dt) {
      step();
      if (t > 0.5 && follower.progress().standing) return true;
    }
    return false;
  }
  void run(double time) {
    for (double t = 0; t < time; t += dt) step();
  }

  Description description;
  Body body;
  SteeringController steering;
  Drive drive;
  PathFollower follower;
  RouteCommand command;
  Instant now = Instant{} + 1h;
  const ackermann::Route* watched = nullptr;  // the truth's distance from it is looked at
  double fastest = 0, farthest = 0, most_deviation = 0, most_beside = 0;
};

}  // namespace tandem::raptorlift
