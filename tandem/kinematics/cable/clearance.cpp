// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/clearance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tandem::cables {

namespace {

constexpr double same_point = 1e-6;  // m

// Slope of half the squared distance from the box, along the segment; it never falls.
double box_slope(const Eigen::Vector3d& p, const Eigen::Vector3d& d, const Eigen::Vector3d& half) {
  double slope = 0;
  for (int k = 0; k < 3; ++k) slope += (p[k] - std::clamp(p[k], -half[k], half[k])) * d[k];
  return slope;
}

double point_to_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& d) {
  const double square = d.squaredNorm();
  const double t = square > 0 ? std::clamp((p - a).dot(d) / square, 0.0, 1.0) : 0;
  return (a + t * d - p).norm();
}

}  // namespace

double segment_distance(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                        const Eigen::Vector3d& b1) {
  const Eigen::Vector3d a = a1 - a0, b = b1 - b0, r = a0 - b0;
  // Either an end of one is nearest to the other, or both nearest points are inside: then the lines decide.
  double least = std::min({point_to_segment(a0, b0, b), point_to_segment(a1, b0, b), point_to_segment(b0, a0, a),
                           point_to_segment(b1, a0, a)});
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double determinant = aa * bb - ab * ab;
  if (determinant > 1e-18 * aa * bb) {
    const double s = (ab * b.dot(r) - bb * a.dot(r)) / determinant;
    const double t = (aa * b.dot(r) - ab * a.dot(r)) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::min(least, (r + s * a - t * b).norm());
  }
  return least;
}

double box_distance(const Eigen::Vector3d& p0, const Eigen::Vector3d& p1, const Eigen::Vector3d& half) {
  // Between the crossings of the box's six planes the slope is linear, so its zero is found exactly.
  const Eigen::Vector3d d = p1 - p0;
  double before = 0, slope_before = box_slope(p0, d, half), after = 1, slope_after = box_slope(p1, d, half);
  if (slope_before >= 0) after = 0;
  if (slope_after <= 0) before = 1;
  for (int k = 0; k < 3; ++k) {
    for (const double face : {-half[k], half[k]}) {
      const double t = (face - p0[k]) / d[k];
      if (!(t > before && t < after)) continue;
      const double slope = box_slope(p0 + t * d, d, half);
      (slope < 0 ? before : after) = t;
      (slope < 0 ? slope_before : slope_after) = slope;
    }
  }
  const double at = before < after ? before + (after - before) * (-slope_before / (slope_after - slope_before))
                                   : std::min(before, after);
  const Eigen::Vector3d p = p0 + at * d;
  return (p.cwiseAbs() - half).cwiseMax(0.0).norm();
}

double grip(const Robot& robot) { return robot.design().size.minCoeff() / 5; }

Clearance clearance(const Robot& robot, const Pose& pose) {
  Clearance found;
  found.cables = found.platform = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d half = robot.design().size / 2;
  const double free = grip(robot);
  const Pose X_platform_world = pose.inverse();
  std::array<Eigen::Vector3d, most_cables> ends;
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    ends[static_cast<std::size_t>(i)] = pose * cable.platform;
    const Eigen::Vector3d far = X_platform_world * cable.frame, along = far - cable.platform;
    const double length = along.norm();
    const Eigen::Vector3d from = length > free ? Eigen::Vector3d(cable.platform + along * (free / length)) : far;
    const double distance = box_distance(from, far, half);
    if (distance < found.platform) found.platform = distance, found.cutting = i;
  }
  for (int i = 0; i < robot.cables(); ++i) {
    for (int j = i + 1; j < robot.cables(); ++j) {
      const Eigen::Vector3d &pi = ends[static_cast<std::size_t>(i)], &pj = ends[static_cast<std::size_t>(j)];
      const Eigen::Vector3d &fi = robot.cable(i).frame, &fj = robot.cable(j).frame;
      if ((pi - pj).norm() < same_point || (fi - fj).norm() < same_point) continue;
      const double distance = segment_distance(pi, fi, pj, fj);
      if (distance < found.cables) found.cables = distance, found.first = i, found.second = j;
    }
  }
  return found;
}

}  // namespace tandem::cables
