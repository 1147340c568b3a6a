// SPDX-License-Identifier: Apache-2.0
// Integrals over short intervals by Gauss and Legendre's five points. Only for the sources of this folder.
#pragma once

#include <array>
#include <cmath>

#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::kinematics::ackermann {

template <typename F>
double integral(const F& f, double from, double to) {
  constexpr std::array<double, 3> nodes = {0, 0.53846931010568309, 0.90617984593866399};
  constexpr std::array<double, 3> weights = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double middle = (from + to) / 2, half = (to - from) / 2;
  double sum = weights[0] * f(middle);
  for (std::size_t i = 1; i < nodes.size(); ++i)
    sum += weights[i] * (f(middle - half * nodes[i]) + f(middle + half * nodes[i]));
  return half * sum;
}

// Where a curve whose curvature goes from `begin` by `slope` per metre leads from the origin in `length` m; exact to
// about 1e-12 for angles well below one.
inline PlanarPose clothoid(double begin, double slope, double length) {
  const auto heading = [&](double s) { return s * (begin + slope * s / 2); };
  return {integral([&](double s) { return std::cos(heading(s)); }, 0, length),
          integral([&](double s) { return std::sin(heading(s)); }, 0, length), heading(length)};
}

}  // namespace tandem::kinematics::ackermann
