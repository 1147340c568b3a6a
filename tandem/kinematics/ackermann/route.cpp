// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/route.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/kinematics/ackermann/plane.hpp"

namespace tandem::kinematics::ackermann {
namespace {

double mixed(double a, double b, double share) {
  return std::isinf(a) || std::isinf(b) ? std::min(a, b) : a + share * (b - a);
}

// Cubic Hermite over [0, 1] with slopes per unit of it.
double hermite(double a, double slope_a, double b, double slope_b, double t) {
  const double u = 1 - t;
  return u * u * ((1 + 2 * t) * a + t * slope_a) + t * t * ((3 - 2 * t) * b - u * slope_b);
}

constexpr double same_place = 1e-6;  // m, rad
constexpr double look = 0.1;         // m, between places that are compared

bool is_same(const RoutePoint& a, const RoutePoint& b) {
  return std::hypot(a.pose.x - b.pose.x, a.pose.y - b.pose.y) < same_place &&
         std::abs(wrapped(a.pose.yaw - b.pose.yaw)) < same_place && a.backward == b.backward;
}

}  // namespace

RoutePoint Route::between(const Sample& a, const Sample& b, double distance) const {
  const double h = b.s - a.s, t = h > 0 ? std::clamp((distance - a.s) / h, 0.0, 1.0) : 0;
  const double sign = a.backward ? -1 : 1;
  RoutePoint point;
  point.pose.x = hermite(a.x, sign * h * std::cos(a.yaw), b.x, sign * h * std::cos(b.yaw), t);
  point.pose.y = hermite(a.y, sign * h * std::sin(a.yaw), b.y, sign * h * std::sin(b.yaw), t);
  point.pose.yaw = wrapped(a.yaw + hermite(0, h * a.curvature, wrapped(b.yaw - a.yaw), h * b.curvature, t));
  point.curvature = sign * mixed(a.curvature, b.curvature, t);
  point.steering = sign * mixed(a.steering, b.steering, t);
  point.speed = mixed(a.speed, b.speed, t);
  point.left = mixed(a.left, b.left, t);
  point.right = mixed(a.right, b.right, t);
  point.backward = a.backward;
  return point;
}

RoutePoint Route::at(double distance) const {
  if (samples_.empty()) return {};
  const auto after = std::upper_bound(samples_.begin() + 1, samples_.end(), distance,
                                      [](double s, const Sample& sample) { return s < sample.s; });
  const Sample& a = *(after - 1);
  return between(a, after == samples_.end() ? a : *after, distance);
}

RoutePoint Route::before(double end) const {
  if (samples_.empty()) return {};
  const auto at = std::lower_bound(samples_.begin() + 1, samples_.end(), end,
                                   [](const Sample& sample, double s) { return sample.s < s; });
  if (at == samples_.end()) return between(samples_.back(), samples_.back(), end);
  return between(*(at - 1), *at, end);
}

double Route::end_of_piece(double distance) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), distance);
  return end == ends_.end() ? length() : *end;
}

Result<Route> extend(const Route& route, std::size_t last, std::span<const Waypoint> further, std::span<const Leg> legs,
                     double driven) {
  if (last >= route.waypoints().size())
    return Error{Fault::invalid,
                 fmt::format("waypoint {}: expected one of {} waypoints", last, route.waypoints().size())};
  if (further.size() != legs.size())
    return Error{Fault::invalid,
                 fmt::format("legs: expected {}, one for each further waypoint, got {}", further.size(), legs.size())};
  const auto kept = static_cast<std::ptrdiff_t>(last);
  std::vector<Waypoint> all(route.waypoints().begin(), route.waypoints().begin() + kept + 1);
  std::vector<Leg> ways(route.legs().begin(), route.legs().begin() + kept);
  all.insert(all.end(), further.begin(), further.end());
  ways.insert(ways.end(), legs.begin(), legs.end());
  auto longer = plan_route(route.start(), all, ways, route.limits());
  if (!longer) return longer;
  const double to = std::clamp(driven, 0.0, route.length());
  for (double s = 0;; s = std::min(s + look, to)) {
    if (s > longer->length() + same_place || !is_same(route.at(s), longer->at(s)))
      return Error{Fault::invalid,
                   fmt::format("waypoint {}: the truck is already {:.2f} m along, expected further legs that leave the "
                               "path up to there as it is, got a change at {:.2f} m",
                               last, to, s)};
    if (s >= to) break;
  }
  return longer;
}

}  // namespace tandem::kinematics::ackermann
