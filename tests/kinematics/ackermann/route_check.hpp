// SPDX-License-Identifier: Apache-2.0
// What a route must keep to, looked at from outside: places every few millimetres and nothing else.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "tandem/kinematics/ackermann/route.hpp"

namespace tandem::kinematics::ackermann {

inline double turn_between(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

inline double distance_to_line(const Point& a, const Point& b, const PlanarPose& p) {
  return ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / std::hypot(b.x - a.x, b.y - a.y);  // left
}

struct RouteFindings {
  double curvature = 0;  // 1/m, by the circle through three places
  double kink = 0;       // rad, between heading and motion
  double step = 0;       // m, more than the arc length between two places
};

inline RouteFindings findings_of(const Route& route, double h = 0.005) {
  RouteFindings found;
  double begin = 0;
  for (const double end : route.ends()) {
    for (double s = begin + h; s + h < end; s += h) {
      const RoutePoint a = route.at(s - h), b = route.at(s), c = route.at(s + h);
      const double ab = std::hypot(b.pose.x - a.pose.x, b.pose.y - a.pose.y);
      const double bc = std::hypot(c.pose.x - b.pose.x, c.pose.y - b.pose.y);
      const double ac = std::hypot(c.pose.x - a.pose.x, c.pose.y - a.pose.y);
      const double area =
          std::abs((b.pose.x - a.pose.x) * (c.pose.y - a.pose.y) - (b.pose.y - a.pose.y) * (c.pose.x - a.pose.x)) / 2;
      found.curvature = std::max(found.curvature, 4 * area / (ab * bc * ac));
      const double moving = std::atan2(c.pose.y - a.pose.y, c.pose.x - a.pose.x) + (b.backward ? std::numbers::pi : 0);
      found.kink = std::max(found.kink, turn_between(moving, b.pose.yaw));
      found.step = std::max(found.step, std::abs(ab - h));
    }
    begin = end;
  }
  return found;
}

// How near the route comes to a point.
inline double nearest(const Route& route, const Point& point, double h = 0.005) {
  double least = 1e9;
  for (double s = 0; s < route.length() + h; s += h) {
    const PlanarPose pose = route.at(s).pose;
    least = std::min(least, std::hypot(pose.x - point.x, pose.y - point.y));
  }
  return least;
}

}  // namespace tandem::kinematics::ackermann
