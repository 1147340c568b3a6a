// SPDX-License-Identifier: Apache-2.0
// A corner of two straight legs rounded by clothoid, arc, clothoid: the curvature goes up, stays, and goes down.
#pragma once

#include <optional>

namespace tandem::kinematics::ackermann {

struct Corner {
  double deflection = 0;  // rad, positive to the left
  double curvature = 0;   // 1/m, of the arc, same sign
  double transition = 0;  // m, length of each clothoid; 0: an arc alone
  double arc = 0;         // m, length of the arc
  double tangent = 0;     // m, before the vertex and after it
  double deviation = 0;   // m, from the vertex to the middle of the arc
  double length() const { return 2 * transition + arc; }
};

struct CornerRoom {
  double smallest_radius = 0;  // m
  double tangent = 0;          // m, of each leg
  double deviation = 0;        // m
};

// The widest arc that its transitions need and then the longest transitions that fit, with a tenth more radius than the
// smallest where there is room for it. Nothing if
// not even an arc of the smallest radius fits, or if the deflection is no corner (half a turn).
std::optional<Corner> round_corner(double deflection, const CornerRoom& room);

// What an arc of this radius needs, for error texts and for sharing a leg between two corners.
double least_tangent(double deflection, double radius);
double least_deviation(double deflection, double radius);

}  // namespace tandem::kinematics::ackermann
