// SPDX-License-Identifier: Apache-2.0
// Angles and points of the plane. Only for the sources of this folder.
#pragma once

#include <cmath>
#include <numbers>

#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::kinematics::ackermann {

inline constexpr double most_coordinate = 1e6;  // m

inline double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }
inline double apart(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }
inline double direction_from(const Point& a, const Point& b) { return std::atan2(b.y - a.y, b.x - a.x); }
inline Point along(const Point& from, double direction, double distance) {
  return {from.x + distance * std::cos(direction), from.y + distance * std::sin(direction)};
}

}  // namespace tandem::kinematics::ackermann
