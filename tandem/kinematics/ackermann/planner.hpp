// SPDX-License-Identifier: Apache-2.0
// How a route is planned, step by step: checks, ends of the legs, start, corners, then one pass along the legs. Only
// for the sources of this folder.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "tandem/kinematics/ackermann/route.hpp"
#include "tandem/kinematics/ackermann/trace.hpp"

namespace tandem::kinematics::ackermann {

template <typename... Values>
Error at_waypoint(std::size_t i, fmt::format_string<Values...> form, Values&&... values) {
  return {Fault::invalid, fmt::format("waypoint {}: {}", i, fmt::format(form, std::forward<Values>(values)...))};
}
template <typename... Values>
Error at_leg(std::size_t i, fmt::format_string<Values...> form, Values&&... values) {
  return {Fault::invalid, fmt::format("leg {}: {}", i, fmt::format(form, std::forward<Values>(values)...))};
}

class RoutePlanner {
 public:
  RoutePlanner(const PlanarPose& start, std::span<const Waypoint> waypoints, std::span<const Leg> legs,
               const RouteLimits& limits) {
    route_.start_ = start;
    route_.waypoints_.assign(waypoints.begin(), waypoints.end());
    route_.legs_.assign(legs.begin(), legs.end());
    route_.limits_ = limits;
  }

  Result<Route> plan();

 private:
  // One leg between its ends, without the corners.
  struct Way {
    Point begin, end;
    double begin_direction = 0, end_direction = 0;  // rad, of travel
    Domain domain;                                  // of a trajectory
  };

  bool straight(std::size_t leg) const { return !route_.legs_[leg].trajectory; }
  bool backward(std::size_t leg) const { return route_.legs_[leg].backward; }
  double deviation(std::size_t i) const {
    const double own = route_.waypoints_[i].deviation;
    return own > 0 ? own : route_.limits_.deviation;
  }
  double heading_deviation(std::size_t i) const {
    const double own = route_.waypoints_[i].heading_deviation;
    return own > 0 ? own : route_.limits_.heading_deviation;
  }
  double offset(std::size_t leg, const Route::Sample& sample) const {
    const Way& way = ways_[leg];
    return std::cos(way.begin_direction) * (sample.y - way.begin.y) -
           std::sin(way.begin_direction) * (sample.x - way.begin.x);
  }

  Result<void> check_inputs();
  Result<void> place_ends();
  Result<void> place_trajectory(std::size_t leg);
  Result<void> place_start();
  Result<void> start_on_trajectory();
  Result<void> start_without_legs();
  Result<void> turn_corners();
  Result<void> turn_corner(std::size_t i, double turned);
  Result<void> trace();
  Result<void> check_headings();
  Result<void> check_corridors();
  void finish();

  Route route_;
  std::vector<Way> ways_;
  std::vector<std::optional<Corner>> corners_;  // at each waypoint
  Trace trace_;
  std::vector<std::size_t> first_;  // sample at which each leg begins
  PlanarPose at_start_;             // without legs
};

}  // namespace tandem::kinematics::ackermann
