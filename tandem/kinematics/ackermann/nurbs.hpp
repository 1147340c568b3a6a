// SPDX-License-Identifier: Apache-2.0
// Rational B-splines in the plane, as VDA 5050 has them for trajectories: evaluated by de Boor's algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::kinematics::ackermann {

struct ControlPoint {
  double x = 0, y = 0;  // m
  double weight = 1;    // above 0
};

struct Nurbs {
  std::size_t degree = 1;
  std::vector<double> knots;  // within 0 to 1, not decreasing; points + degree + 1 of them
  std::vector<ControlPoint> points;
};

inline constexpr std::size_t most_degree = 10;
inline constexpr std::size_t most_control_points = 1000;

// The error says what is expected of degree, knots, points or weights. Whatever passes can be evaluated.
Result<void> check(const Nurbs& curve);

// The parameters of the curve's ends: 0 and 1 if the knots are clamped there.
struct Domain {
  double begin = 0, end = 1;
};
Domain domain(const Nurbs& curve);

struct CurvePoint {
  Point position;       // m
  Point first, second;  // derivatives by the parameter
};

// A parameter outside the domain is brought into it. At a knot: the piece after it; at the end: the piece before.
// Only for curves that check() accepts; no allocation.
CurvePoint evaluate(const Nurbs& curve, double parameter);
// Just inside both ends, where a curve that begins or ends with control points on one place has a direction.
struct CurveEnds {
  CurvePoint begin, end;
};
CurveEnds ends(const Nurbs& curve);
// 1/m, positive to the left; infinity where the curve stands still and has no direction.
double curvature(const CurvePoint& point);

}  // namespace tandem::kinematics::ackermann
