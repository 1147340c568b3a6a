// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/waypoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/error.hpp"

namespace tandem::kinematics::trajectory {
namespace {

Result<void> check(std::size_t index, const Waypoint& point, double last) {
  if (!std::isfinite(point.time)) return wrong(fmt::format("waypoint {}: its time is not finite", index));
  if (!(point.time > last || (index == 0 && point.time == 0)))
    return wrong(fmt::format("waypoint {}: its time {} s must be after {} s", index, point.time, last));
  const bool numbers =
      point.q.allFinite() && (!point.qd || point.qd->allFinite()) && (!point.qdd || point.qdd->allFinite());
  if (!numbers) return wrong(fmt::format("waypoint {}: a position, velocity or acceleration is not finite", index));
  return {};
}

// The slope of a smooth curve that stays between its neighbours: none at an extreme, else their weighted harmonic mean.
double slope(double before, double after, double dt_before, double dt_after) {
  if (before * after <= 0) return 0;
  const double w1 = 2 * dt_after + dt_before, w2 = dt_after + 2 * dt_before;
  return (w1 + w2) / (w1 / before + w2 / after);
}

}  // namespace

Result<WaypointPath> WaypointPath::make(const Model& model, const JointState& start, std::span<const Waypoint> points) {
  if (points.empty()) return wrong("joint trajectory: no waypoint");
  if (!(start.q.allFinite() && start.qd.allFinite() && start.qdd.allFinite()))
    return wrong("joint trajectory: the start is not finite");
  WaypointPath path;
  path.knots_.push_back({0, start, true});
  std::vector<bool> given = {true};  // whether the speed is
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Waypoint& point = points[i];
    if (auto r = check(i, point, path.knots_.back().time); !r) return r.error();
    const Joints none = Joints::Zero();
    if (point.time == 0) {
      const double away = (point.q - start.q).cwiseAbs().maxCoeff();
      if (away > 0.01)
        return wrong(fmt::format("waypoint 0: at time 0 it is {:.4f} rad from the arm's position", away));
      path.knots_.back().state = {point.q, point.qd.value_or(start.qd), point.qdd.value_or(start.qdd)};
      continue;
    }
    path.knots_.push_back(
        {point.time, {point.q, point.qd.value_or(none), point.qdd.value_or(none)}, point.qd && point.qdd});
    given.push_back(point.qd.has_value());
  }
  auto& knots = path.knots_;
  for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
    if (given[k]) continue;
    const double before = knots[k].time - knots[k - 1].time, after = knots[k + 1].time - knots[k].time;
    for (int i = 0; i < 6; ++i)
      knots[k].state.qd[i] = slope((knots[k].state.q[i] - knots[k - 1].state.q[i]) / before,
                                   (knots[k + 1].state.q[i] - knots[k].state.q[i]) / after, before, after);
  }
  if (auto r = path.within_limits(model); !r) return r.error();
  return path;
}

JointState WaypointPath::between(const Knot& a, const Knot& b, double t) const {
  const double T = b.time - a.time, u = (t - a.time) / T;
  JointState out;
  for (int i = 0; i < 6; ++i) {
    // In units of the step: q(u) = c0 + c1 u + ... with derivatives by u.
    const double d = b.state.q[i] - a.state.q[i], v0 = a.state.qd[i] * T, v1 = b.state.qd[i] * T;
    double c[6] = {a.state.q[i], v0, 0, 0, 0, 0};
    if (a.accelerated && b.accelerated) {
      const double a0 = a.state.qdd[i] * T * T, a1 = b.state.qdd[i] * T * T;
      c[2] = 0.5 * a0;
      c[3] = 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
      c[4] = -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
      c[5] = 6 * d - 3 * (v0 + v1) - 0.5 * a0 + 0.5 * a1;
    } else {
      c[2] = 3 * d - 2 * v0 - v1;
      c[3] = v0 + v1 - 2 * d;
    }
    out.q[i] = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))));
    out.qd[i] = (c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))) / T;
    out.qdd[i] = (2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))) / (T * T);
  }
  return out;
}

JointState WaypointPath::sample(double t) const {
  if (!(t > 0)) return knots_.front().state;
  if (t >= duration()) return {knots_.back().state.q, Joints::Zero(), Joints::Zero()};
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t,
                                      [](double value, const Knot& knot) { return value < knot.time; });
  return between(*(after - 1), *after, t);
}

Result<void> WaypointPath::within_limits(const Model& model) const {
  constexpr int points = 16;
  for (std::size_t k = 1; k < knots_.size(); ++k) {
    for (int n = 0; n <= points; ++n) {
      const double t = knots_[k - 1].time + (knots_[k].time - knots_[k - 1].time) * n / points;
      const JointState state = between(knots_[k - 1], knots_[k], t);
      if (const auto joint = ur::outside_limits(model, state.q)) {
        const auto j = static_cast<std::size_t>(*joint);
        return wrong(
            fmt::format("joint trajectory: at {:.3f} s joint {} would be at {:.4f} rad, its limits are {:.4f} "
                        "to {:.4f}",
                        t, ur::joint_names[j], state.q[*joint], model.lowest[j], model.highest[j]));
      }
      for (int i = 0; i < 6; ++i) {
        const auto j = static_cast<std::size_t>(i);
        if (!(std::abs(state.qd[i]) <= model.speed[j] * (1 + 1e-6)))
          return wrong(
              fmt::format("joint trajectory: at {:.3f} s joint {} would need {:.3f} rad/s, its limit is {:.3f}", t,
                          ur::joint_names[j], state.qd[i], model.speed[j]));
      }
    }
  }
  return {};
}

}  // namespace tandem::kinematics::trajectory
