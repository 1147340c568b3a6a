// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/nurbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tandem/kinematics/ackermann/plane.hpp"

namespace tandem::kinematics::ackermann {
namespace {

constexpr double least_weight = 1e-6, most_weight = 1e6;

struct Homogeneous {
  double x = 0, y = 0, w = 0;
};
Homogeneous operator+(const Homogeneous& a, const Homogeneous& b) { return {a.x + b.x, a.y + b.y, a.w + b.w}; }
Homogeneous operator-(const Homogeneous& a, const Homogeneous& b) { return {a.x - b.x, a.y - b.y, a.w - b.w}; }
Homogeneous operator*(double s, const Homogeneous& a) { return {s * a.x, s * a.y, s * a.w}; }

using Local = std::array<Homogeneous, most_degree + 1>;

Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

// de Boor's triangle on the points span - degree to span, the last of them at [degree].
Homogeneous triangle(const std::vector<double>& knots, std::size_t span, std::size_t degree, double u, Local points) {
  for (std::size_t r = 1; r <= degree; ++r) {
    for (std::size_t j = degree; j >= r; --j) {
      const std::size_t i = span - degree + j;
      const double share = (u - knots[i]) / (knots[i + degree - r + 1] - knots[i]);
      points[j] = (1 - share) * points[j - 1] + share * points[j];
    }
  }
  return points[degree];
}

// The control points of the derivative, one fewer, of one degree less on the same knots.
Local derivative(const std::vector<double>& knots, std::size_t span, std::size_t degree, const Local& points) {
  Local slopes{};
  for (std::size_t j = 1; j <= degree; ++j) {
    const std::size_t i = span - degree + j;
    slopes[j - 1] = (static_cast<double>(degree) / (knots[i + degree] - knots[i])) * (points[j] - points[j - 1]);
  }
  return slopes;
}

// The last non-empty knot interval that begins at or before u and inside the domain.
std::size_t span_of(const Nurbs& curve, double u) {
  const auto first = curve.knots.begin() + static_cast<std::ptrdiff_t>(curve.degree);
  const auto last = curve.knots.begin() + static_cast<std::ptrdiff_t>(curve.points.size());
  auto after = std::upper_bound(first, last, u);
  if (after == last) after = std::lower_bound(first, last, *last);
  return static_cast<std::size_t>(after - curve.knots.begin()) - 1;
}

Result<void> check_knots(const Nurbs& curve) {
  const auto& knots = curve.knots;
  std::size_t same = 1;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!(knots[i] >= 0 && knots[i] <= 1)) return wrong(fmt::format("knot {}: expected 0 to 1, got {}", i, knots[i]));
    if (i == 0) continue;
    if (knots[i] < knots[i - 1])
      return wrong(fmt::format("knot {}: expected {} or more, got {}", i, knots[i - 1], knots[i]));
    same = knots[i] == knots[i - 1] ? same + 1 : 1;
    const bool outside = knots[i] == knots.front() || knots[i] == knots.back();
    const std::size_t most = outside ? curve.degree + 1 : curve.degree;
    if (same > most) return wrong(fmt::format("knot {}: expected at most {} equal knots, got more", i, most));
    if (knots[i] > knots[i - 1] && knots[i] - knots[i - 1] < 1e-9)
      return wrong(fmt::format("knot {}: expected knots that are equal or 1e-9 apart, got {} apart", i,
                               knots[i] - knots[i - 1]));
  }
  const Domain all = domain(curve);
  if (!(all.begin < all.end)) return wrong(fmt::format("knots: expected a domain, got {} to {}", all.begin, all.end));
  return {};
}

}  // namespace

Result<void> check(const Nurbs& curve) {
  if (curve.degree < 1 || curve.degree > most_degree)
    return wrong(fmt::format("degree: expected 1 to {}, got {}", most_degree, curve.degree));
  const std::size_t count = curve.points.size();
  if (count < curve.degree + 1 || count > most_control_points)
    return wrong(
        fmt::format("control points: expected {} to {}, got {}", curve.degree + 1, most_control_points, count));
  if (curve.knots.size() != count + curve.degree + 1)
    return wrong(fmt::format("knots: expected {} (control points + degree + 1), got {}", count + curve.degree + 1,
                             curve.knots.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const ControlPoint& point = curve.points[i];
    if (!(std::abs(point.x) <= most_coordinate && std::abs(point.y) <= most_coordinate))
      return wrong(fmt::format("control point {}: expected coordinates within {} m, got {}, {}", i, most_coordinate,
                               point.x, point.y));
    if (!(point.weight > 0)) return wrong(fmt::format("weight {}: expected above 0, got {}", i, point.weight));
    if (point.weight < least_weight || point.weight > most_weight)
      return wrong(fmt::format("weight {}: expected {} to {}, got {}", i, least_weight, most_weight, point.weight));
  }
  return check_knots(curve);
}

Domain domain(const Nurbs& curve) { return {curve.knots[curve.degree], curve.knots[curve.points.size()]}; }

CurvePoint evaluate(const Nurbs& curve, double parameter) {
  const Domain all = domain(curve);
  const double u = std::isnan(parameter) ? all.begin : std::clamp(parameter, all.begin, all.end);
  const std::size_t degree = curve.degree, span = span_of(curve, u);
  Local points{};
  for (std::size_t j = 0; j <= degree; ++j) {
    const ControlPoint& point = curve.points[span - degree + j];
    points[j] = {point.x * point.weight, point.y * point.weight, point.weight};
  }
  const Homogeneous a = triangle(curve.knots, span, degree, u, points);
  const Local slopes = derivative(curve.knots, span, degree, points);
  const Homogeneous b = triangle(curve.knots, span, degree - 1, u, slopes);
  Homogeneous c;
  if (degree > 1) c = triangle(curve.knots, span, degree - 2, u, derivative(curve.knots, span, degree - 1, slopes));
  CurvePoint point;
  point.position = {a.x / a.w, a.y / a.w};
  point.first = {(b.x - b.w * point.position.x) / a.w, (b.y - b.w * point.position.y) / a.w};
  point.second = {(c.x - 2 * b.w * point.first.x - c.w * point.position.x) / a.w,
                  (c.y - 2 * b.w * point.first.y - c.w * point.position.y) / a.w};
  return point;
}

CurveEnds ends(const Nurbs& curve) {
  const Domain all = domain(curve);
  const double inside = 1e-9 * (all.end - all.begin);
  return {evaluate(curve, all.begin + inside), evaluate(curve, all.end - inside)};
}

double curvature(const CurvePoint& point) {
  const double speed = std::hypot(point.first.x, point.first.y);
  if (!(speed > 1e-9)) return std::numeric_limits<double>::infinity();
  return (point.first.x * point.second.y - point.first.y * point.second.x) / (speed * speed * speed);
}

}  // namespace tandem::kinematics::ackermann
