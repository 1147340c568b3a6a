// SPDX-License-Identifier: Apache-2.0
// The samples of a route while it is planned: pieces are appended where the last one ended.
#pragma once

#include <string>
#include <vector>

#include "tandem/kinematics/ackermann/corner.hpp"
#include "tandem/kinematics/ackermann/route.hpp"

namespace tandem::kinematics::ackermann {

inline constexpr double sample_step = 0.05;  // m

class Trace {
 public:
  std::vector<Route::Sample> samples;

  double length() const { return samples.empty() ? 0 : samples.back().s; }
  // Of the path, not of the truck.
  void straight(const Point& from, const Point& to, bool backward);
  void corner(const Point& begin, double direction, const Corner& corner, bool backward);
  // The curve between two parameters. The error names the parameter where it is tighter than the radius, stands still
  // or is too long.
  Result<void> curve(const Nurbs& nurbs, double from, double to, double smallest_radius, bool backward);

 private:
  void add(double length, const Point& position, double direction, double curvature, bool backward);
  PlanarPose clothoid_piece(const PlanarPose& from, double curvature, double slope, double length, bool backward);
  Result<void> curve_interval(const Nurbs& nurbs, double from, double to, double smallest_radius, bool backward,
                              int depth);
};

// Fills in `steering`: the mean curvature within this far before and after, in one direction of travel.
void smooth_steering(std::vector<Route::Sample>& samples, double window);
// Lowers `speed` to what turn rate, steering and braking before ends and cusps allow.
void limit_speeds(std::vector<Route::Sample>& samples, const RouteLimits& limits);

}  // namespace tandem::kinematics::ackermann
