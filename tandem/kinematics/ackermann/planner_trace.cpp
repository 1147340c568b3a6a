// SPDX-License-Identifier: Apache-2.0
// plan_route: corners, the pass along the legs, and what is checked on the path itself.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/kinematics/ackermann/plane.hpp"
#include "tandem/kinematics/ackermann/planner.hpp"

namespace tandem::kinematics::ackermann {
namespace {

constexpr double no_corner = 1e-9;  // rad
constexpr double window = 0.15;     // m, each way: over which curvature is averaged for the steering
constexpr double degree = std::numbers::pi / 180;

}  // namespace

Result<void> RoutePlanner::turn_corners() {
  for (std::size_t i = 1; i < ways_.size(); ++i) {
    const double leaving = ways_[i].begin_direction;
    const bool reverses = backward(i) != backward(i - 1);
    const double turned = wrapped(leaving - ways_[i - 1].end_direction + (reverses ? std::numbers::pi : 0));
    const double most = route_.limits_.heading_deviation;
    if (!reverses && straight(i) && straight(i - 1)) {
      if (auto fits = turn_corner(i, turned); !fits) return fits;
    } else if (!(std::abs(turned) <= most)) {
      return at_waypoint(i, "{}: expected the next leg to leave along {:.3f} rad within {:.3f} rad, got {:.3f} rad",
                         reverses ? "the truck reverses here" : "a trajectory begins or ends here",
                         wrapped(leaving - turned), most, leaving);
    }
  }
  return {};
}

// A corner takes what the one before has left of the leg between them, and half of the next leg; more only if it needs
// that. So nothing that comes later changes it, and a route can be extended.
Result<void> RoutePlanner::turn_corner(std::size_t i, double turned) {
  if (std::abs(turned) < no_corner) return {};
  const double before = apart(ways_[i - 1].begin, ways_[i - 1].end) - (corners_[i - 1] ? corners_[i - 1]->tangent : 0);
  const double after = apart(ways_[i].begin, ways_[i].end);
  const double radius = route_.limits_.smallest_radius, following = route_.limits_.following;
  double room = deviation(i) - following;
  for (const std::size_t leg : {i - 1, i}) {
    const Leg& way = route_.legs_[leg];
    const double side = turned > 0 ? way.corridor_left : way.corridor_right;
    room = std::min(room, (side - following) / std::cos(turned / 2));
  }
  const double tangent = std::min(before, after);
  CornerRoom space{radius, std::min(before, after / 2), room};
  corners_[i] = round_corner(turned, space);
  if (corners_[i]) return {};
  space.tangent = std::min(tangent, least_tangent(turned, radius) * (1 + 1e-9));
  corners_[i] = round_corner(turned, space);
  if (corners_[i]) return {};
  const double angle = turned / degree, least = least_deviation(turned, radius);
  if (std::abs(turned) > std::numbers::pi - 0.02)
    return at_waypoint(i,
                       "corner of {:.0f} degrees: expected a corner that can be rounded or a leg in the other "
                       "direction of travel, got a turn on the spot",
                       angle);
  if (least > room)
    return at_waypoint(i,
                       "corner of {:.0f} degrees: expected a deviation and corridor of at least {:.3f} m for a "
                       "radius of {:.3f} m, got {:.3f} m",
                       angle, least + following, radius, room + following);
  return at_waypoint(i,
                     "corner of {:.0f} degrees: expected {:.3f} m of straight leg on both sides for a radius of "
                     "{:.3f} m, got {:.3f} m",
                     angle, least_tangent(turned, radius), radius, tangent);
}

Result<void> RoutePlanner::trace() {
  route_.passed_.assign(1, 0.0);
  for (std::size_t leg = 0; leg < ways_.size(); ++leg) {
    const Way& way = ways_[leg];
    const auto& corner = corners_[leg + 1];
    if (leg == 0 || !corners_[leg]) first_.push_back(trace_.samples.size());
    if (leg > 0 && backward(leg) != backward(leg - 1)) route_.ends_.push_back(trace_.length());
    if (straight(leg)) {
      const Point from = along(way.begin, way.begin_direction, corners_[leg] ? corners_[leg]->tangent : 0);
      const Point to = along(way.end, way.begin_direction, corner ? -corner->tangent : 0);
      if (apart(from, to) > 1e-6) trace_.straight(from, to, backward(leg));
      if (corner) {
        const double begin = trace_.length();
        const std::size_t before = trace_.samples.size();
        trace_.corner(to, way.begin_direction, *corner, backward(leg));
        route_.passed_.push_back(begin + corner->length() / 2);
        std::size_t middle = before;
        while (middle < trace_.samples.size() && trace_.samples[middle].s < route_.passed_.back()) ++middle;
        first_.push_back(middle);
        continue;
      }
    } else if (auto done = trace_.curve(*route_.legs_[leg].trajectory, way.domain.begin, way.domain.end,
                                        route_.limits_.smallest_radius, backward(leg));
               !done) {
      return at_leg(leg, "{}", done.error().text);
    }
    route_.passed_.push_back(trace_.length());
  }
  if (trace_.length() > longest_route)
    return at_leg(ways_.size() - 1, "expected a route of at most {} m, got {:.0f} m", longest_route, trace_.length());
  if (ways_.empty())
    trace_.samples.push_back({0, at_start_.x, at_start_.y, wrapped(at_start_.yaw), 0, 0, 0, 1, 1, false});
  first_.push_back(trace_.samples.size());
  route_.samples_ = std::move(trace_.samples);
  route_.ends_.push_back(route_.length());
  return {};
}

Result<void> RoutePlanner::check_headings() {
  for (std::size_t i = 0; i < route_.waypoints_.size(); ++i) {
    const Waypoint& waypoint = route_.waypoints_[i];
    const RoutePoint there = i == 0 ? route_.at(0) : route_.before(route_.passed_[i]);
    if (waypoint.heading) {
      if (!(std::abs(wrapped(there.pose.yaw - *waypoint.heading)) <= heading_deviation(i)))
        return at_waypoint(i, "heading: expected {:.3f} rad within {:.3f} rad, got {:.3f} rad by its legs",
                           *waypoint.heading, heading_deviation(i), there.pose.yaw);
    }
  }
  return {};
}

Result<void> RoutePlanner::check_corridors() {
  for (std::size_t leg = 0; leg < ways_.size(); ++leg) {
    const Leg& limits = route_.legs_[leg];
    for (std::size_t i = first_[leg]; i < first_[leg + 1]; ++i) {
      Route::Sample& sample = route_.samples_[i];
      const double beside = straight(leg) ? offset(leg, sample) : 0;
      sample.left = limits.corridor_left - beside;
      sample.right = limits.corridor_right + beside;
      sample.speed = limits.most_speed;
      if (const double least = std::min(sample.left, sample.right); least < route_.limits_.following - 1e-9)
        return at_leg(leg, "corridor: expected {:.3f} m beside the path at {:.2f} m, got {:.3f} m",
                      route_.limits_.following, sample.s, least);
    }
  }
  // The two samples around a waypoint in a corner belong to both legs.
  for (std::size_t leg = 1; leg < ways_.size(); ++leg) {
    if (backward(leg) != backward(leg - 1)) continue;
    Route::Sample &before = route_.samples_[first_[leg] - 1], &after = route_.samples_[first_[leg]];
    before.speed = after.speed = std::min(before.speed, after.speed);
    before.left = after.left = std::min(before.left, after.left);
    before.right = after.right = std::min(before.right, after.right);
  }
  return {};
}

void RoutePlanner::finish() {
  smooth_steering(route_.samples_, window);
  limit_speeds(route_.samples_, route_.limits_);
}

}  // namespace tandem::kinematics::ackermann
