// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/kinematics/trajectory/error.hpp"

namespace tandem::kinematics::trajectory {
namespace {

using std::numbers::pi;
constexpr double least = 1e-9;  // m or rad, below which there is no way to go

Result<void> finite(const char* what, const Pose& pose) {
  if (ur::finite(pose)) return {};
  return wrong(fmt::format("{}: a pose contains NaN or infinity", what));
}

Eigen::Quaterniond attitude(const Pose& pose) { return Eigen::Quaterniond(pose.linear()).normalized(); }

// From a to b about one axis, in a's frame.
Eigen::Vector3d turn_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return rotation_vector_from_quaternion(a.conjugate() * b);
}

// Cubic from 0 to 1 with slope 0 at 0 and `slope` at 1; value and derivative.
struct Eased {
  double value, derivative;
};
Eased eased(double tau, double slope) {
  const double a = slope - 2, b = 3 - slope;
  return {tau * tau * (a * tau + b), tau * (3 * a * tau + 2 * b)};
}

}  // namespace

void Curve::add(Piece piece) {
  if (piece.length <= 0) return;
  piece.start = length_;
  length_ += piece.length;
  pieces_.push_back(piece);
}

Result<Curve> Curve::line(const Pose& from, const Pose& to) {
  if (auto r = finite("line", from); !r) return r.error();
  if (auto r = finite("line", to); !r) return r.error();
  Piece piece;
  piece.origin = from.translation();
  piece.x = to.translation() - from.translation();
  piece.R = attitude(from);
  piece.after = turn_between(piece.R, attitude(to));
  piece.length = piece.x.norm();
  Curve curve;
  if (piece.length < least) {
    curve.turning_ = piece.after.norm() >= least;
    piece.length = piece.after.norm();
  }
  if (piece.length < least) {  // stays where it is
    curve.pieces_.push_back(piece);
    return curve;
  }
  curve.add(piece);
  return curve;
}

Result<Curve> Curve::circle(const Pose& from, const Pose& via, const Pose& to, ArcOrientation orientation) {
  for (const Pose* pose : {&from, &via, &to})
    if (auto r = finite("movec", *pose); !r) return r.error();
  const Eigen::Vector3d a = via.translation() - from.translation(), b = to.translation() - from.translation();
  const Eigen::Vector3d normal = a.cross(b);
  if (a.norm() < least || b.norm() < least || (b - a).norm() < least)
    return wrong("movec: start, via and end must be three different points");
  if (normal.norm() < 1e-6 * a.norm() * b.norm()) {
    if (a.dot(b) < 0 || a.norm() > b.norm())
      return wrong("movec: start, via and end are on one line and via is not between the others");
    Pose end = to;
    if (orientation == ArcOrientation::fixed) end.linear() = from.linear();
    return line(from, end);
  }
  const Eigen::Vector3d centre = (b.squaredNorm() * normal.cross(a) + a.squaredNorm() * b.cross(normal)) /
                                 (2 * normal.squaredNorm());  // from the start
  Piece piece;
  piece.origin = from.translation() + centre;
  piece.x = -centre;
  piece.y = normal.normalized().cross(piece.x);
  const Eigen::Vector3d last = b - centre;
  piece.angle = std::atan2(last.dot(piece.y), last.dot(piece.x));
  if (piece.angle <= 0) piece.angle += 2 * pi;
  piece.length = piece.angle * centre.norm();
  piece.R = attitude(from);
  piece.after = orientation == ArcOrientation::free
                    ? turn_between(piece.R, attitude(to))
                    : Eigen::Vector3d(piece.R.conjugate() * (normal.normalized() * piece.angle));
  Curve curve;
  curve.add(piece);
  return curve;
}

Result<Curve> Curve::rounded(const Pose& from, std::span<const Corner> corners) {
  if (corners.empty()) return wrong("movep: no point to go to");
  if (auto r = finite("movep", from); !r) return r.error();
  std::vector<Pose> points = {from};
  std::vector<double> radii = {0};
  for (const Corner& corner : corners) {
    if (auto r = finite("movep", corner.X); !r) return r.error();
    if (!(std::isfinite(corner.radius) && corner.radius >= 0))
      return wrong(fmt::format("movep: radius: expected 0 or more, got {}", corner.radius));
    if ((corner.X.translation() - points.back().translation()).norm() < least)
      return wrong(fmt::format("movep: point {} equals the previous one", points.size()));
    points.push_back(corner.X);
    radii.push_back(corner.radius);
  }
  radii.back() = 0;
  Curve curve;
  double taken = 0;  // m of this line that the corner at its start has used
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Eigen::Vector3d p = points[i - 1].translation(), d = points[i].translation() - p;
    const double length = d.norm();
    const Eigen::Quaterniond start = attitude(points[i - 1]), end = attitude(points[i]);
    const Eigen::Vector3d turn = turn_between(start, end);
    // A corner may take at most half of either line.
    double cut = 0, half = 0;
    Eigen::Vector3d next = Eigen::Vector3d::Zero();
    if (i + 1 < points.size()) {
      next = points[i + 1].translation() - points[i].translation();
      cut = std::min({radii[i], 0.5 * length, 0.5 * next.norm()});
      half = 0.5 * std::atan2(d.cross(next).norm(), d.dot(next));  // half of the change of direction
      if (half > 0.5 * pi - 1e-6) cut = 0;                         // straight back: no circle touches both
    }
    Piece piece;
    piece.origin = p + d * (taken / length);
    piece.length = length - taken - cut;
    piece.x = d * (piece.length / length);
    piece.R = start * quaternion_from_rotation_vector(turn * (taken / length));
    piece.after = turn * (piece.length / length);
    curve.add(piece);
    taken = cut;
    if (cut <= 0) continue;
    Piece corner;
    corner.corner = true;
    corner.R = end;
    corner.before = turn * (cut / length);
    corner.after = turn_between(end, attitude(points[i + 1])) * (cut / next.norm());
    const Eigen::Vector3d u = d.normalized(), v = next.normalized();
    if (half < 1e-6) {  // straight on
      corner.origin = points[i].translation() - cut * u;
      corner.x = 2 * cut * u;
      corner.length = 2 * cut;
    } else {
      const double radius = cut / std::tan(half);
      const Eigen::Vector3d inward = (v - u * u.dot(v)).normalized();
      corner.origin = points[i].translation() - cut * u + radius * inward;
      corner.x = -radius * inward;
      corner.y = radius * u;
      corner.angle = 2 * half;
      corner.length = radius * corner.angle;
    }
    corner.slope = corner.length / cut;
    curve.add(corner);
  }
  return curve;
}

CurvePoint Curve::at(double s) const {
  if (pieces_.empty()) return {};
  const double clamped = std::clamp(std::isnan(s) ? 0 : s, 0.0, length_);
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), clamped,
                                      [](double value, const Piece& piece) { return value < piece.start; });
  const Piece& piece = after == pieces_.begin() ? pieces_.front() : *(after - 1);
  const double span = piece.length > 0 ? piece.length : 1;
  const double tau = std::min(1.0, (clamped - piece.start) / span);
  CurvePoint point;
  Eigen::Vector3d direction;
  if (piece.angle > 0) {
    const double c = std::cos(tau * piece.angle), sine = std::sin(tau * piece.angle);
    point.X.translation() = piece.origin + c * piece.x + sine * piece.y;
    direction = (c * piece.y - sine * piece.x) * (piece.angle / span);
  } else {
    point.X.translation() = piece.origin + tau * piece.x;
    direction = piece.x / span;
  }
  // Angular velocity of R exp(-b) exp(a): each factor turns about its own axis, seen from where it is.
  Eigen::Quaterniond R;
  Eigen::Vector3d spin;
  if (piece.corner) {
    const Eased passed = eased(tau, piece.slope), left = eased(1 - tau, piece.slope);
    const Eigen::Quaterniond first = piece.R * quaternion_from_rotation_vector(-left.value * piece.before);
    R = first * quaternion_from_rotation_vector(passed.value * piece.after);
    spin = piece.R * (piece.before * left.derivative) + first * (piece.after * passed.derivative);
  } else {
    R = piece.R * quaternion_from_rotation_vector(tau * piece.after);
    spin = piece.R * piece.after;
  }
  point.X.linear() = R.toRotationMatrix();
  point.tangent << direction, spin / span;
  if (length_ == 0) point.tangent.setZero();
  return point;
}

double Curve::turn_rate() const {
  double most = 0;
  for (const Piece& piece : pieces_)
    if (piece.length > 0)
      most = std::max(most, (piece.corner ? 2 : 1) * (piece.before.norm() + piece.after.norm()) / piece.length);
  return most;
}

}  // namespace tandem::kinematics::trajectory
