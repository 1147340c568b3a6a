// SPDX-License-Identifier: Apache-2.0
// plan_route: what is checked before, where the legs begin and end, and where the truck is on the first of them.
#include "tandem/kinematics/ackermann/planner.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "tandem/kinematics/ackermann/plane.hpp"

namespace tandem::kinematics::ackermann {
namespace {

constexpr double shortest_leg = 1e-3;  // m
constexpr double meeting = 0.02;       // m, between two trajectories

bool is_length(double value) { return value >= 0 && value <= most_coordinate; }

Result<void> check(const RouteLimits& limits) {
  const std::array<std::pair<const char*, double>, 9> positive = {{{"smallest_radius", limits.smallest_radius},
                                                                   {"speed", limits.speed},
                                                                   {"turn", limits.turn},
                                                                   {"braking", limits.braking},
                                                                   {"curvature_rate", limits.curvature_rate},
                                                                   {"deviation", limits.deviation},
                                                                   {"heading_deviation", limits.heading_deviation},
                                                                   {"following", limits.following},
                                                                   {"start", limits.start}}};
  for (const auto& [name, value] : positive)
    if (!(value > 0 && value <= most_coordinate))
      return Error{Fault::invalid, fmt::format("{}: expected a number above 0, got {}", name, value)};
  return {};
}

Result<void> check(const Waypoint& waypoint, std::size_t i) {
  if (!(std::abs(waypoint.position.x) <= most_coordinate && std::abs(waypoint.position.y) <= most_coordinate))
    return at_waypoint(i, "position: expected coordinates within {} m, got {}, {}", most_coordinate,
                       waypoint.position.x, waypoint.position.y);
  if (waypoint.heading && !(std::abs(*waypoint.heading) <= 2 * std::numbers::pi))
    return at_waypoint(i, "heading: expected -pi to pi, got {}", *waypoint.heading);
  if (!is_length(waypoint.deviation))
    return at_waypoint(i, "deviation: expected 0 m or more, got {}", waypoint.deviation);
  if (!(waypoint.heading_deviation >= 0 && waypoint.heading_deviation <= 2 * std::numbers::pi))
    return at_waypoint(i, "heading deviation: expected 0 to pi rad, got {}", waypoint.heading_deviation);
  return {};
}

Result<void> check(const Leg& leg, std::size_t i, const RouteLimits& limits) {
  if (!(leg.most_speed > 0)) return at_leg(i, "maximum speed: expected above 0 m/s, got {}", leg.most_speed);
  for (const double side : {leg.corridor_left, leg.corridor_right})
    if (!(side >= limits.following))
      return at_leg(i, "corridor: expected at least {} m on each side, got {}", limits.following, side);
  if (leg.trajectory)
    if (auto good = check(*leg.trajectory); !good) return at_leg(i, "trajectory: {}", good.error().text);
  return {};
}

}  // namespace

Result<Route> RoutePlanner::plan() {
  for (const auto step : {&RoutePlanner::check_inputs, &RoutePlanner::place_ends})
    if (auto done = (this->*step)(); !done) return std::move(done).error();
  if (auto placed = place_start(); !placed) {
    Error error = std::move(placed).error();
    error.fault = Fault::unreachable;
    return error;
  }
  for (const auto step : {&RoutePlanner::turn_corners, &RoutePlanner::trace, &RoutePlanner::check_headings,
                          &RoutePlanner::check_corridors})
    if (auto done = (this->*step)(); !done) return std::move(done).error();
  finish();
  return std::move(route_);
}

Result<void> RoutePlanner::check_inputs() {
  if (auto good = check(route_.limits_); !good) return good;
  const std::size_t count = route_.waypoints_.size();
  if (count < 1 || count > most_waypoints)
    return Error{Fault::invalid, fmt::format("waypoints: expected 1 to {}, got {}", most_waypoints, count)};
  if (route_.legs_.size() + 1 != count)
    return Error{Fault::invalid,
                 fmt::format("legs: expected {}, one fewer than waypoints, got {}", count - 1, route_.legs_.size())};
  const PlanarPose& start = route_.start_;
  if (!(std::abs(start.x) <= most_coordinate && std::abs(start.y) <= most_coordinate && std::isfinite(start.yaw)))
    return Error{Fault::invalid,
                 fmt::format("start: expected finite numbers, got {}, {}, {}", start.x, start.y, start.yaw)};
  for (std::size_t i = 0; i < count; ++i)
    if (auto good = check(route_.waypoints_[i], i); !good) return good;
  double length = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (auto good = check(route_.legs_[i], i, route_.limits_); !good) return good;
    length += apart(route_.waypoints_[i].position, route_.waypoints_[i + 1].position);
    if (length > longest_route) return at_leg(i, "expected a route of at most {} m, got more", longest_route);
  }
  ways_.resize(count - 1);
  corners_.resize(count);
  return {};
}

Result<void> RoutePlanner::place_trajectory(std::size_t leg) {
  Way& way = ways_[leg];
  const Nurbs& nurbs = *route_.legs_[leg].trajectory;
  way.domain = domain(nurbs);
  const auto [first, last] = ends(nurbs);
  way.begin = evaluate(nurbs, way.domain.begin).position;
  way.end = evaluate(nurbs, way.domain.end).position;
  if (!std::isfinite(curvature(first)) || !std::isfinite(curvature(last)))
    return at_leg(leg, "trajectory: expected a direction at both ends, got none");
  way.begin_direction = std::atan2(first.first.y, first.first.x);
  way.end_direction = std::atan2(last.first.y, last.first.x);
  for (const auto& [i, end, word] : {std::tuple{leg, way.begin, "begin"}, std::tuple{leg + 1, way.end, "end"}}) {
    const double away = apart(end, route_.waypoints_[i].position);
    if (!(away <= deviation(i)))
      return at_leg(leg, "trajectory: expected to {} within {:.3f} m of waypoint {}, got {:.3f} m", word, deviation(i),
                    i, away);
  }
  return {};
}

Result<void> RoutePlanner::place_ends() {
  for (std::size_t leg = 0; leg < ways_.size(); ++leg) {
    if (straight(leg)) {
      ways_[leg].begin = route_.waypoints_[leg].position;
      ways_[leg].end = route_.waypoints_[leg + 1].position;
    } else if (auto placed = place_trajectory(leg); !placed) {
      return placed;
    }
  }
  for (std::size_t leg = 0; leg < ways_.size(); ++leg) {
    Way& way = ways_[leg];
    if (!straight(leg)) {
      if (leg > 0 && !straight(leg - 1) && !(apart(ways_[leg - 1].end, way.begin) <= meeting))
        return at_waypoint(leg, "expected trajectories that meet within {} m, got {:.3f} m apart", meeting,
                           apart(ways_[leg - 1].end, way.begin));
      continue;
    }
    if (leg > 0 && !straight(leg - 1)) way.begin = ways_[leg - 1].end;
    if (leg + 1 < ways_.size() && !straight(leg + 1)) way.end = ways_[leg + 1].begin;
    if (!(apart(way.begin, way.end) >= shortest_leg))
      return at_leg(leg, "expected at least {} m, got {} m", shortest_leg, apart(way.begin, way.end));
    way.begin_direction = way.end_direction = direction_from(way.begin, way.end);
  }
  return {};
}

Result<void> RoutePlanner::start_without_legs() {
  at_start_ = route_.start_;
  const double away = apart({at_start_.x, at_start_.y}, route_.waypoints_[0].position);
  if (away <= deviation(0)) return {};
  return at_waypoint(0, "expected the truck within {:.3f} m of it, got {:.3f} m", deviation(0), away);
}

// Behind the beginning of the first leg the line is longer; on the leg it begins where the truck is.
Result<void> RoutePlanner::place_start() {
  if (ways_.empty()) return start_without_legs();
  Way& way = ways_[0];
  const PlanarPose& start = route_.start_;
  const Point here{start.x, start.y};
  const double away = apart(here, route_.waypoints_[0].position);
  if (!(away <= deviation(0)))
    return at_waypoint(0, "expected the truck within {:.3f} m of it, got {:.3f} m", deviation(0), away);
  if (!straight(0)) {
    if (auto placed = start_on_trajectory(); !placed) return placed;
  } else {
    const double forward = std::cos(way.begin_direction) * (start.x - way.begin.x) +
                           std::sin(way.begin_direction) * (start.y - way.begin.y);
    if (const double length = apart(way.begin, way.end); !(forward <= length - shortest_leg))
      return at_leg(0, "expected the truck before its end at {:.3f} m, got {:.3f} m", length, forward);
    way.begin = along(way.begin, way.begin_direction, forward);
  }
  const double beside = apart(here, way.begin);
  if (!(beside <= route_.limits_.start))
    return at_waypoint(0, "expected the truck within {:.3f} m of the path, got {:.3f} m", route_.limits_.start, beside);
  const double wanted = wrapped(way.begin_direction + (backward(0) ? std::numbers::pi : 0));
  const double off = std::abs(wrapped(start.yaw - wanted));
  if (!(off <= route_.limits_.start))
    return at_leg(0, "expected the truck to start within {:.3f} rad of heading {:.3f} rad, got {:.3f} rad",
                  route_.limits_.start, wanted, wrapped(start.yaw));
  return {};
}

Result<void> RoutePlanner::start_on_trajectory() {
  Way& way = ways_[0];
  const Nurbs& nurbs = *route_.legs_[0].trajectory;
  const auto distance = [&](double u) {
    return apart(evaluate(nurbs, u).position, {route_.start_.x, route_.start_.y});
  };
  // The nearest of many places, then between its neighbours.
  constexpr int places = 2000;
  const double step = (way.domain.end - way.domain.begin) / places;
  double best = way.domain.begin;
  for (int i = 1; i < places; ++i)
    if (const double u = way.domain.begin + step * i; distance(u) < distance(best) - 1e-9) best = u;
  double low = std::max(best - step, way.domain.begin), high = std::min(best + step, way.domain.end - step);
  for (int i = 0; i < 60 && high > low; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (distance(a) <= distance(b))
      high = b;
    else
      low = a;
  }
  way.domain.begin = low;
  const CurvePoint point = evaluate(nurbs, low + 1e-6 * step);
  way.begin = evaluate(nurbs, low).position;
  way.begin_direction = std::atan2(point.first.y, point.first.x);
  return {};
}

Result<Route> plan_route(const PlanarPose& start, std::span<const Waypoint> waypoints, std::span<const Leg> legs,
                         const RouteLimits& limits) {
  return RoutePlanner(start, waypoints, legs, limits).plan();
}

}  // namespace tandem::kinematics::ackermann
