// SPDX-License-Identifier: Apache-2.0
// The ground that a truck covers, and whether two trucks touch: the judge of the fleet demonstration.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::warehouse {

// A rectangle of 1.7 m by 0.8 m, from 1.1 m behind the middle of the traction axle to 0.6 m before it.
struct Footprint {
  double x, y, c, s;                                                          // its middle, and its direction
  static constexpr double half_length = 0.85, half_width = 0.4, back = 0.25;  // m
};

inline Footprint footprint(const kinematics::ackermann::PlanarPose& X_map_axle) {
  const double c = std::cos(X_map_axle.yaw), s = std::sin(X_map_axle.yaw);
  return {X_map_axle.x - Footprint::back * c, X_map_axle.y - Footprint::back * s, c, s};
}

// Metres between two footprints along the axis that separates them best: at most their distance; not above zero: they
// touch.
inline double gap(const Footprint& a, const Footprint& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const std::array<std::array<double, 2>, 4> axes{{{a.c, a.s}, {-a.s, a.c}, {b.c, b.s}, {-b.s, b.c}}};
  double widest = -1e9;
  for (const auto& axis : axes) {
    const double x = axis[0], y = axis[1];
    const auto reach = [&](const Footprint& f) {
      return Footprint::half_length * std::abs(f.c * x + f.s * y) +
             Footprint::half_width * std::abs(-f.s * x + f.c * y);
    };
    widest = std::max(widest, std::abs(dx * x + dy * y) - reach(a) - reach(b));
  }
  return widest;
}

}  // namespace tandem::warehouse
