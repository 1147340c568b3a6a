// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/tension/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables::tension {
namespace {

constexpr double parallel = 1e-12;  // N per N along a line: the cable does not change
constexpr double flat = 1e-10;      // area over squared circumference: the polygon is a line

constexpr int as_they_are[most_cables] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

struct StripLine {
  Point at, along;  // along has length 1
};

// The part of the line within the first `count` strips of the order. False when surely none; from > to when they miss
// each other.
bool cut(const Strips& strips, const int* order, int count, const StripLine& line, double& from, double& to) {
  for (int k = 0; k < count; ++k) {
    const int j = order[k];
    const double here = strips.start[j] + strips.x[j] * line.at.u + strips.y[j] * line.at.v;
    const double slope = strips.x[j] * line.along.u + strips.y[j] * line.along.v;
    const double below = strips.least[j] - strips.noise - here, above = strips.most[j] + strips.noise - here;
    if (std::abs(slope) <= parallel) {
      if (below > 0 || above < 0) return false;
      continue;
    }
    const double inverse = 1 / slope, a = below * inverse, b = above * inverse;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return true;
}

// Ends that miss each other by rounding only become one.
bool join(double noise, double& from, double& to) {
  if (from <= to) return true;
  if (!(from - to <= 16 * noise)) return false;
  from = to = 0.5 * (from + to);
  return true;
}

// Where the cable has this tension: the foot of the perpendicular from (0, 0), and the direction. False for a cable
// that has the same tension everywhere.
bool line_at(const Strips& strips, int i, double tension, StripLine& line) {
  const double x = strips.x[i], y = strips.y[i], square = x * x + y * y;
  if (!(square > parallel * parallel)) return false;
  const double reach = (tension - strips.start[i]) / square, inverse = 1 / std::sqrt(square);
  line = {{reach * x, reach * y}, {-y * inverse, x * inverse}};
  return true;
}

// The strip that (0, 0) misses by most comes first: its edge is often all that is needed.
void worst_first(const Strips& strips, int (&order)[most_cables]) {
  std::copy_n(as_they_are, most_cables, order);
  int worst = 0;
  double most = 0;
  for (int i = 0; i < strips.count; ++i) {
    const double outside = std::max(strips.least[i] - strips.start[i], strips.start[i] - strips.most[i]);
    worst = outside > most ? i : worst;
    most = std::max(most, outside);
  }
  std::swap(order[0], order[worst]);
}

constexpr int most_corners = 4 + 2 * most_cables;  // each cut adds at most one

struct Corners {
  int count;
  Point point[most_corners];
};

// Keeps what has x u + y v + c >= 0.
void cut(Corners& corners, double x, double y, double c) {
  double height[most_corners];
  bool all = true;
  for (int i = 0; i < corners.count; ++i) {
    height[i] = x * corners.point[i].u + y * corners.point[i].v + c;
    all = all && height[i] >= 0;
  }
  if (all) return;
  Point kept[2 * most_corners];
  int count = 0;
  for (int i = 0; i < corners.count; ++i) {
    const int next = i + 1 == corners.count ? 0 : i + 1;
    const Point &a = corners.point[i], &b = corners.point[next];
    if (height[i] >= 0) kept[count++] = a;
    if ((height[i] >= 0) == (height[next] >= 0)) continue;
    const double part = height[i] / (height[i] - height[next]);
    kept[count++] = {a.u + part * (b.u - a.u), a.v + part * (b.v - a.v)};
  }
  corners.count = std::min(count, most_corners);
  std::copy_n(kept, corners.count, corners.point);
}

// The polygon's corners in their order. It starts from a rectangle that surely holds it: as (x, y) are orthonormal,
// u = sum of x (tension - start).
Corners corners_of(const Strips& strips) {
  double low[2] = {}, high[2] = {};
  for (int i = 0; i < strips.count; ++i) {
    const double a = strips.least[i] - strips.start[i], b = strips.most[i] - strips.start[i];
    const double along[2] = {strips.x[i], strips.y[i]};
    for (int k = 0; k < 2; ++k) {
      low[k] += std::min(along[k] * a, along[k] * b);
      high[k] += std::max(along[k] * a, along[k] * b);
    }
  }
  Corners corners;
  corners.count = 4;
  corners.point[0] = {low[0], low[1]};
  corners.point[1] = {high[0], low[1]};
  corners.point[2] = {high[0], high[1]};
  corners.point[3] = {low[0], high[1]};
  for (int i = 0; i < strips.count && corners.count > 0; ++i) {
    cut(corners, strips.x[i], strips.y[i], strips.start[i] - strips.least[i] + strips.noise);
    cut(corners, -strips.x[i], -strips.y[i], strips.most[i] - strips.start[i] + strips.noise);
  }
  return corners;
}

Point centre_of(const Corners& corners) {
  const Point& o = corners.point[0];
  double area = 0, u = 0, v = 0, length = 0, line_u = 0, line_v = 0;
  for (int i = 0; i < corners.count; ++i) {
    const Point& a = corners.point[i];
    const Point& b = corners.point[i + 1 == corners.count ? 0 : i + 1];
    const double au = a.u - o.u, av = a.v - o.v, bu = b.u - o.u, bv = b.v - o.v;
    const double piece = std::max(0.0, au * bv - av * bu), eu = b.u - a.u, ev = b.v - a.v,
                 edge = std::sqrt(eu * eu + ev * ev);
    area += piece;
    u += piece * (au + bu) / 3;
    v += piece * (av + bv) / 3;
    length += edge;
    line_u += edge * (au + bu) / 2;
    line_v += edge * (av + bv) / 2;
  }
  if (area > flat * length * length) return {o.u + u / area, o.v + v / area};
  if (length > 0) return {o.u + line_u / length, o.v + line_v / length};
  return o;
}

}  // namespace

bool nearest_point(const Strips& strips, Point& point) {
  int order[most_cables];
  worst_first(strips, order);
  point = {0, 0};
  for (int k = 0; k < strips.count; ++k) {
    const int i = order[k];
    const double here = strips.start[i] + strips.x[i] * point.u + strips.y[i] * point.v;
    const bool slack = here < strips.least[i] - strips.noise;
    if (!slack && here <= strips.most[i] + strips.noise) continue;
    StripLine line;
    if (!line_at(strips, i, slack ? strips.least[i] : strips.most[i], line)) return false;
    double from = -std::numeric_limits<double>::infinity(), to = -from;
    if (!cut(strips, order, k, line, from, to) || !join(strips.noise, from, to)) return false;
    const double s = std::clamp(0.0, from, to);
    point = {line.at.u + s * line.along.u, line.at.v + s * line.along.v};
  }
  return true;
}

bool centre_of_area(const Strips& strips, Point& point) {
  for (int i = 0; i < strips.count; ++i) {  // a cable that has no choice leaves a line at most
    StripLine line;
    if (strips.most[i] - strips.least[i] > strips.noise || !line_at(strips, i, strips.least[i], line)) continue;
    double from = -std::numeric_limits<double>::infinity(), to = -from;
    if (!cut(strips, as_they_are, strips.count, line, from, to) || !join(strips.noise, from, to)) return false;
    if (!std::isfinite(from) || !std::isfinite(to)) return false;
    const double s = 0.5 * (from + to);
    point = {line.at.u + s * line.along.u, line.at.v + s * line.along.v};
    return true;
  }
  const Corners corners = corners_of(strips);
  if (corners.count == 0) return false;
  point = centre_of(corners);
  return true;
}

bool interval(const Strips& strips, double& from, double& to) {
  from = -std::numeric_limits<double>::infinity();
  to = -from;
  return cut(strips, as_they_are, strips.count, {{0, 0}, {1, 0}}, from, to) && join(strips.noise, from, to) &&
         std::isfinite(from) && std::isfinite(to);
}

}  // namespace tandem::cables::tension
