// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>

#include "tandem/kinematics/ur/closed_form.hpp"

namespace tandem::kinematics::ur {
namespace {

using std::numbers::pi;
constexpr double degrees_per_radian = 180 / pi;

// How far the wrist's end of the forearm is from the shoulder, for the shoulder and wrist that come nearest to what the
// two arms can span. `miss` is positive when too far, negative when too near.
struct Span {
  double distance = 0, miss = std::numeric_limits<double>::infinity();
};

Span best_span(const Model& m, const Pose& X) {
  const Eigen::Vector3d w = X.translation() - m.d[5] * X.linear().col(2);
  const double d4 = m.d[3], square = w.head<2>().squaredNorm();
  const double clear = std::sqrt(std::max(0.0, square - d4 * d4));
  const double longest = std::abs(m.a[1] + m.a[2]), shortest = std::abs(m.a[1] - m.a[2]);
  Span best;
  for (const double v : {clear, -clear}) {
    const double s1 = (w.x() * d4 + w.y() * v) / square, c1 = (w.x() * v - w.y() * d4) / square;
    const Eigen::Vector3d n(s1, -c1, 0);
    Eigen::Vector3d z4 = n.cross(X.linear().col(2));
    if (z4.norm() < 1e-9) z4 = w - d4 * n - m.d[0] * Eigen::Vector3d::UnitZ();  // free: best along the way, or against
    for (const double side : {1.0, -1.0}) {
      const Eigen::Vector3d end = w - side * m.d[4] * z4.normalized() - d4 * n - m.d[0] * Eigen::Vector3d::UnitZ();
      const double distance = end.norm();
      const double miss = distance > longest ? distance - longest : distance < shortest ? distance - shortest : 0;
      if (std::abs(miss) < std::abs(best.miss)) best = {distance, miss};
    }
  }
  return best;
}

// The angle plus whole turns that is nearest to `near` within the limits; NaN when none is within.
double within_limits(double angle, double near, double lowest, double highest) {
  double value = angle + 2 * pi * std::round((near - angle) / (2 * pi));
  if (value < lowest) value += 2 * pi * std::ceil((lowest - value) / (2 * pi));
  if (value > highest) value -= 2 * pi * std::ceil((value - highest) / (2 * pi));
  return value >= lowest && value <= highest ? value : std::numeric_limits<double>::quiet_NaN();
}

struct Choice {
  Nearest best;
  bool found = false;
  int blocked = -1;  // the joint whose limits shut out a solution
  double blocked_at = 0;
};

void choose(const Model& model, const Solutions& solutions, const Joints& qnear, Choice& choice) {
  for (int k = 0; k < solutions.count; ++k) {
    Joints q = solutions.q[static_cast<std::size_t>(k)];
    bool fits = true;
    for (int i = 0; i < 6 && fits; ++i) {
      const auto j = static_cast<std::size_t>(i);
      const double value = within_limits(q[i], qnear[i], model.lowest[j], model.highest[j]);
      fits = !std::isnan(value);
      if (!fits) choice.blocked = i, choice.blocked_at = q[i];
      q[i] = value;
    }
    const double distance = (q - qnear).norm();
    if (!fits || (choice.found && distance >= choice.best.distance)) continue;
    choice.found = true;
    choice.best = {q, distance, solutions.wrist_singular, solutions.shoulder_singular, solutions.elbow_singular};
  }
}

Error limit_error(const Model& model, const Choice& choice) {
  const auto j = static_cast<std::size_t>(choice.blocked);
  return {Fault::unreachable,
          fmt::format("{}: the pose needs joint {} at {:.2f} degrees, its limits are {:.2f} to {:.2f}", model.name,
                      joint_names[j], choice.blocked_at * degrees_per_radian, model.lowest[j] * degrees_per_radian,
                      model.highest[j] * degrees_per_radian),
          0};
}

}  // namespace

Error why_unreachable(const Model& m, const Pose& X) {
  if (!finite(X)) return {Fault::invalid, fmt::format("{}: the pose contains NaN or infinity", m.name), 0};
  const Eigen::Matrix3d unity = X.linear().transpose() * X.linear();
  const double skew = (unity - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (skew > 1e-9 || X.linear().determinant() < 0)
    return {Fault::invalid,
            fmt::format("{}: expected a rotation matrix, got one with an error of {:.1e}", m.name, skew), 0};
  const Eigen::Vector3d w = X.translation() - m.d[5] * X.linear().col(2);
  const double radius = w.head<2>().norm();
  if (radius < m.d[3])
    return {Fault::unreachable,
            fmt::format("{}: too near the axis of joint 1: the wrist would be {:.4f} m from it, at least {:.4f} m",
                        m.name, radius, m.d[3]),
            0};
  const Span span = best_span(m, X);
  if (span.miss > 0)
    return {Fault::unreachable,
            fmt::format("{}: too far: wrist 1 would be {:.4f} m from the shoulder, the arm spans {:.4f} m", m.name,
                        span.distance, std::abs(m.a[1] + m.a[2])),
            0};
  return {Fault::unreachable,
          fmt::format("{}: too near the shoulder: wrist 1 would be {:.4f} m from it, the folded arm spans {:.4f} m",
                      m.name, span.distance, std::abs(m.a[1] - m.a[2])),
          0};
}

Result<Nearest> nearest(const Model& model, const Pose& X_base_tcp, const Joints& qnear, const Pose& X_flange_tcp,
                        const Tolerance& tolerance) {
  for (int i = 0; i < 6; ++i)
    if (!std::isfinite(qnear[i]))
      return Error{Fault::invalid,
                   fmt::format("{}: the near angle of joint {} is not finite", model.name, joint_names[std::size_t(i)]),
                   0};
  if (!finite(X_flange_tcp))
    return Error{Fault::invalid, fmt::format("{}: the tool centre point is not finite", model.name), 0};
  const Pose X_base_flange = X_base_tcp * X_flange_tcp.inverse();
  Solutions solutions;
  Choice choice;
  all_solutions(model, X_base_flange, solutions, qnear[5], tolerance);
  choose(model, solutions, qnear, choice);
  // A straight wrist leaves wrist 3 free: the near angle, and others when that breaks the limits of another joint.
  const double straight_below = 0.5 * tolerance.orientation;
  for (int step = 0; solutions.wrist_singular && step <= 36 && !(choice.found && step > 0); ++step) {
    for (const double turn : {step * pi / 36, -step * pi / 36}) {
      closed_form(model, X_base_flange, solutions, qnear[5] + turn, tolerance, straight_below);
      choose(model, solutions, qnear, choice);
    }
  }
  if (choice.found) return choice.best;
  if (choice.blocked >= 0) return limit_error(model, choice);
  return why_unreachable(model, X_base_flange);
}

}  // namespace tandem::kinematics::ur
