// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tandem/kinematics/ackermann/plane.hpp"
#include "tandem/kinematics/ackermann/quadrature.hpp"

namespace tandem::kinematics::ackermann {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr int deepest = 14;                // halvings of an interval between knots
constexpr int cuts = 4;                    // of such an interval, to begin with
constexpr int looks = 4;                   // for curvature, in each piece
constexpr double radius_tolerance = 1e-6;  // relative

Result<void> check_place(const Nurbs& nurbs, double u, double smallest_radius) {
  const CurvePoint point = evaluate(nurbs, u);
  const double there = curvature(point);
  if (!std::isfinite(there) || !std::isfinite(point.position.x) || !std::isfinite(point.position.y))
    return Error{Fault::invalid, fmt::format("trajectory: expected a direction everywhere, got none at {:.4f}", u)};
  if (std::abs(there) * smallest_radius <= 1 + radius_tolerance) return {};
  return Error{Fault::invalid,
               fmt::format("trajectory: expected a radius of at least {:.3f} m, got {:.3f} m at parameter {:.4f}",
                           smallest_radius, 1 / std::abs(there), u)};
}

std::size_t pieces_of(double length) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(length / sample_step)));
}

}  // namespace

void Trace::add(double length, const Point& position, double direction, double curvature, bool backward) {
  const double yaw = wrapped(backward ? direction + std::numbers::pi : direction);
  samples.push_back({this->length() + length, position.x, position.y, yaw, curvature, curvature, unlimited, unlimited,
                     unlimited, backward});
}

void Trace::straight(const Point& from, const Point& to, bool backward) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  const double direction = std::atan2(dy, dx);
  add(0, from, direction, 0, backward);
  const std::size_t pieces = pieces_of(length);
  for (std::size_t i = 1; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(pieces);
    add(length / static_cast<double>(pieces), {from.x + share * dx, from.y + share * dy}, direction, 0, backward);
  }
}

PlanarPose Trace::clothoid_piece(const PlanarPose& from, double curvature, double slope, double length, bool backward) {
  if (!(length > 0)) return from;
  add(0, {from.x, from.y}, from.yaw, curvature, backward);
  const std::size_t pieces = pieces_of(length);
  const double step = length / static_cast<double>(pieces);
  PlanarPose at = from;
  for (std::size_t i = 0; i < pieces; ++i) {
    at = at * clothoid(curvature + slope * step * static_cast<double>(i), slope, step);
    add(step, {at.x, at.y}, at.yaw, curvature + slope * step * static_cast<double>(i + 1), backward);
  }
  return at;
}

void Trace::corner(const Point& begin, double direction, const Corner& corner, bool backward) {
  PlanarPose at{begin.x, begin.y, direction};
  const double slope = corner.transition > 0 ? corner.curvature / corner.transition : 0;
  at = clothoid_piece(at, 0, slope, corner.transition, backward);
  at = clothoid_piece(at, corner.curvature, 0, corner.arc, backward);
  clothoid_piece(at, corner.curvature, -slope, corner.transition, backward);
}

Result<void> Trace::curve_interval(const Nurbs& nurbs, double from, double to, double smallest_radius, bool backward,
                                   int depth) {
  const auto speed = [&](double u) {
    const CurvePoint point = evaluate(nurbs, u);
    return std::hypot(point.first.x, point.first.y);
  };
  const double length = integral(speed, from, to);
  if (depth < deepest && !(length <= sample_step)) {
    const double middle = (from + to) / 2;
    if (auto first = curve_interval(nurbs, from, middle, smallest_radius, backward, depth + 1); !first) return first;
    return curve_interval(nurbs, middle, to, smallest_radius, backward, depth + 1);
  }
  if (!(length <= sample_step) || this->length() + length > longest_route)
    return Error{Fault::invalid, fmt::format("trajectory: expected at most {} m, got more", longest_route)};
  for (int i = 1; i <= looks; ++i)
    if (auto good = check_place(nurbs, from + (to - from) * i / looks, smallest_radius); !good) return good;
  const CurvePoint end = evaluate(nurbs, to);
  add(length, end.position, std::atan2(end.first.y, end.first.x), curvature(end), backward);
  return {};
}

Result<void> Trace::curve(const Nurbs& nurbs, double from, double to, double smallest_radius, bool backward) {
  std::vector<double> knots{from};
  for (const double knot : nurbs.knots)
    if (knot > knots.back() && knot < to) knots.push_back(knot);
  knots.push_back(to);
  for (std::size_t i = 1; i < knots.size(); ++i) {
    // Just after the knot: a spline of low degree has another curvature there than before it.
    const double begin = knots[i - 1], step = (knots[i] - begin) / cuts;
    const CurvePoint first = evaluate(nurbs, begin + 1e-9 * step), at = evaluate(nurbs, begin);
    if (auto good = check_place(nurbs, begin + 1e-9 * step, smallest_radius); !good) return good;
    const double direction = std::atan2(first.first.y, first.first.x);
    if (i > 1) {
      const double before = samples.back().yaw + (backward ? std::numbers::pi : 0.0);
      if (const double kink = std::abs(wrapped(direction - before)); kink > 0.01)
        return Error{Fault::invalid, fmt::format("trajectory: expected a smooth curve, got a kink of {:.3f} rad at "
                                                 "parameter {:.4f}",
                                                 kink, begin)};
    }
    add(0, at.position, direction, curvature(first), backward);
    for (int j = 0; j < cuts; ++j) {
      const double until = j + 1 == cuts ? knots[i] - 1e-12 * (knots[i] - begin) : begin + step * (j + 1);
      if (auto done = curve_interval(nurbs, begin + step * j, until, smallest_radius, backward, 0); !done) return done;
    }
  }
  return {};
}

void smooth_steering(std::vector<Route::Sample>& samples, double window) {
  // The mean of the curvature is what the heading changes by.
  std::size_t begin = 0;
  while (begin < samples.size()) {
    std::size_t end = begin + 1;
    while (end < samples.size() && samples[end].backward == samples[begin].backward) ++end;
    std::vector<double> turned(end - begin);
    for (std::size_t i = begin + 1; i < end; ++i)
      turned[i - begin] = turned[i - begin - 1] + wrapped(samples[i].yaw - samples[i - 1].yaw);
    const auto heading = [&, at = begin](double s) mutable {
      while (at + 2 < end && samples[at + 1].s < s) ++at;
      if (at + 1 >= end) return turned[at - begin];
      const double h = samples[at + 1].s - samples[at].s;
      const double share = h > 0 ? std::clamp((s - samples[at].s) / h, 0.0, 1.0) : 1;
      return turned[at - begin] + share * (turned[at + 1 - begin] - turned[at - begin]);
    };
    auto behind = heading, ahead = heading;  // each goes on with the samples
    for (std::size_t i = begin; i < end; ++i) {
      const double from = std::max(samples[i].s - window, samples[begin].s);
      const double to = std::min(samples[i].s + window, samples[end - 1].s);
      if (to > from) samples[i].steering = (ahead(to) - behind(from)) / (to - from);
    }
    begin = end;
  }
}

void limit_speeds(std::vector<Route::Sample>& samples, const RouteLimits& limits) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Route::Sample& sample = samples[i];
    const double turn = std::max(std::abs(sample.curvature), std::abs(sample.steering));
    double most = std::min(limits.speed, sample.speed);
    if (turn > 0) most = std::min({most, limits.turn / turn, std::sqrt(limits.braking / turn)});
    for (const std::size_t other : {i - 1, i + 1}) {  // i - 1 may wrap: then it is no sample
      if (other >= samples.size() || samples[other].backward != sample.backward) continue;
      const double h = std::abs(samples[other].s - sample.s),
                   change = std::abs(samples[other].steering - sample.steering);
      if (h > 1e-4 && change > 1e-6) most = std::min(most, limits.curvature_rate * h / change);
    }
    sample.speed = most;
  }
  double next = 0;
  for (std::size_t i = samples.size(); i-- > 0;) {
    const bool last = i + 1 == samples.size() || samples[i + 1].backward != samples[i].backward;
    const double h = last ? 0 : samples[i + 1].s - samples[i].s;
    samples[i].speed = last ? 0 : std::min(samples[i].speed, std::sqrt(next * next + 2 * limits.braking * h));
    next = samples[i].speed;
  }
}

}  // namespace tandem::kinematics::ackermann
