// SPDX-License-Identifier: Apache-2.0
// Routes for a truck that cannot turn on the spot: waypoints joined by straight legs, whose corners are rounded, and by
// NURBS. What a truck of that turning radius cannot drive within deviations and corridors is refused with the waypoint
// or leg it fails at. Positions are of the middle of the traction axle, in the frame of the waypoints.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ackermann/nurbs.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::kinematics::ackermann {

struct Waypoint {
  Point position;                      // m
  std::optional<double> heading = {};  // rad, of the truck, also when it backs; none: any
  double deviation = 0;                // m, how far from it the path may pass; 0: RouteLimits::deviation
  double heading_deviation = 0;        // rad; 0: RouteLimits::heading_deviation
};

// From one waypoint to the next.
struct Leg {
  std::optional<Nurbs> trajectory = {};  // none: a straight line
  bool backward = false;
  double most_speed = std::numeric_limits<double>::infinity();  // m/s
  // m, beside the line or trajectory, left and right as seen in the direction of travel.
  double corridor_left = std::numeric_limits<double>::infinity();
  double corridor_right = std::numeric_limits<double>::infinity();
};

struct RouteLimits {
  double smallest_radius = 1.542;   // m
  double speed = 1;                 // m/s
  double turn = 1;                  // rad/s
  double braking = 0.5;             // m/s^2, along the path, and beside it in a curve
  double curvature_rate = 0.6;      // 1/m per s: how fast the steering follows
  double deviation = 0.1;           // m, of a waypoint that gives none
  double heading_deviation = 0.05;  // rad, the same; and what a kink between two legs may have
  double following = 0.03;          // m, of deviations and corridors that is left to whoever follows the path
  double start = 0.1;               // m, how far beside the path it may start, and rad, how far about it
};

inline constexpr std::size_t most_waypoints = 5000;
inline constexpr double longest_route = 10000;  // m

// One place of a route.
struct RoutePoint {
  PlanarPose pose;             // of the truck
  double curvature = 0;        // 1/m, of the truck's own twist: w / v, also backward
  double steering = 0;         // 1/m, the curvature averaged over 0.3 m of path: what its steering can follow
  double speed = 0;            // m/s, the most it may have here; braking before cusps and the route's end is in it
  bool backward = false;       // the truck backs here
  double left = 0, right = 0;  // m, room beside the path, in the direction of travel
};

class Route {
 public:
  double length() const { return samples_.empty() ? 0 : samples_.back().s; }  // m
  // Distances outside the route are those of its ends. At a cusp: the piece that begins there.
  RoutePoint at(double distance) const;
  // Where each waypoint is passed, m of arc length; never decreasing.
  std::span<const double> passed() const { return passed_; }
  // Arc lengths at which pieces of one direction end: cusps, and the route's end.
  std::span<const double> ends() const { return ends_; }
  // The end of the piece of one direction that this arc length lies in; a cusp belongs to the piece after it.
  double end_of_piece(double distance) const;
  // The same for the pose of the piece that ends there.
  RoutePoint before(double end) const;

  const RouteLimits& limits() const { return limits_; }
  std::span<const Waypoint> waypoints() const { return waypoints_; }
  std::span<const Leg> legs() const { return legs_; }
  const PlanarPose& start() const { return start_; }

  struct Sample {
    double s;  // m
    double x, y, yaw;
    double curvature, steering;  // 1/m
    double speed;                // m/s
    double left, right;          // m
    bool backward;
  };

 private:
  friend class RoutePlanner;
  RoutePoint between(const Sample& a, const Sample& b, double distance) const;

  PlanarPose start_;
  std::vector<Waypoint> waypoints_;
  std::vector<Leg> legs_;
  RouteLimits limits_;
  std::vector<Sample> samples_;  // at most 0.05 m apart; two with the same s at a cusp
  std::vector<double> passed_, ends_;
};

// One more waypoint than legs. The truck is at `start`, near the first leg's beginning or on that leg. An error begins
// with the waypoint or leg it is about, counted from 0: "waypoint 2: ...", "leg 1: ...". It is Fault::unreachable if
// the truck cannot begin the route from `start`, which is nearer than RouteLimits::start to a route that is good
// otherwise.
Result<Route> plan_route(const PlanarPose& start, std::span<const Waypoint> waypoints, std::span<const Leg> legs,
                         const RouteLimits& limits = {});

// The route with everything after waypoint `last` replaced by `further` (one leg for each of them). The part up to
// `driven` (m of arc length; where the truck is, and a little ahead of it) stays identical; if that is impossible, such
// as when the truck is in the corner at `last` already and the new leg leaves in another direction, it is an error.
Result<Route> extend(const Route& route, std::size_t last, std::span<const Waypoint> further, std::span<const Leg> legs,
                     double driven);

}  // namespace tandem::kinematics::ackermann
