// SPDX-License-Identifier: Apache-2.0
// The closed form. With u = (c1, s1, 0) and up = z the plane of the arm, n = (s1, -c1, 0) its normal:
//   the wrist point w = p - d6 z6 lies at w . n = d4           -> joint 1, two shoulders
//   x6 . n = s5 c6,  y6 . n = -s5 s6,  z6 . n = c5             -> joints 5 and 6, two wrists
//   z4 = -(s6 x6 + c6 y6) = (sin, -cos) of q2+q3+q4 in (u, up) -> the sum of joints 2 to 4
//   w - d5 z4 - d1 up = a2 (c2, s2) + a3 (c23, s23)            -> joints 2 and 3, two elbows
// A straight wrist (s5 = 0) leaves joint 6 free: z4 turns in the plane, and w - d5 z4 - d1 up is on a circle. What the
// two arms reach is an annulus, so the angles allowed are two mirrored arcs with ends in closed form.
#include "tandem/kinematics/ur/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tandem::kinematics::ur {
namespace {

using std::numbers::pi;

// Into [-pi, pi], without a branch.
double wrapped(double angle) {
  constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  return angle - 2 * pi * ((angle * (0.5 / pi) + rounding) - rounding);
}

struct Target {
  double xx, xy, xz, yx, yy, yz, zx, zy, zz;  // axes x, y, z of the flange, by component
  double wx, wy, wz;                          // wrist point: where axes 5 and 6 meet
};

Target target_of(const Model& m, const Pose& X) {
  const auto& r = X.matrix();
  Target t{r(0, 0), r(1, 0), r(2, 0), r(0, 1), r(1, 1), r(2, 1), r(0, 2), r(1, 2), r(2, 2), 0, 0, 0};
  t.wx = r(0, 3) - m.d[5] * t.zx;
  t.wy = r(1, 3) - m.d[5] * t.zy;
  t.wz = r(2, 3) - m.d[5] * t.zz;
  return t;
}

struct Wrist {
  double s1, c1, s5, c5, s6, c6, s234, c234;
};

// Forward kinematics of the orientation from sines and cosines, against the target's: twice the square of the angle
// between them, when small.
double orientation_error(const Wrist& w, const Target& t) {
  const double xx = w.c1 * w.c234, xy = w.s1 * w.c234, xz = w.s234;
  const double zx = w.c1 * w.s234, zy = w.s1 * w.s234, zz = -w.c234;
  const double k1 = w.c5 * w.c6, k2 = w.s5 * w.c6, k3 = w.c5 * w.s6, k4 = w.s5 * w.s6;
  const double e[9] = {
      k1 * xx + k2 * w.s1 - w.s6 * zx - t.xx,  k1 * xy - k2 * w.c1 - w.s6 * zy - t.xy,  k1 * xz - w.s6 * zz - t.xz,
      -k3 * xx - k4 * w.s1 - w.c6 * zx - t.yx, -k3 * xy + k4 * w.c1 - w.c6 * zy - t.yy, -k3 * xz - w.c6 * zz - t.yz,
      -w.s5 * xx + w.c5 * w.s1 - t.zx,         -w.s5 * xy - w.c5 * w.c1 - t.zy,         -w.s5 * xz - t.zz};
  double sum = 0;
  for (const double value : e) sum += value * value;
  return sum;
}

// Takes z4 from wrist 3.
void set_sum(const Target& t, Wrist& w) {
  w.s234 = -(w.s6 * (t.xx * w.c1 + t.xy * w.s1) + w.c6 * (t.yx * w.c1 + t.yy * w.s1));
  w.c234 = w.s6 * t.xz + w.c6 * t.yz;
}

// Turns z4 in the plane of the arm, and wrist 3 with it, by the least that brings the circle's point into the annulus.
void turn_into_reach(const Model& m, const Target& t, Wrist& w) {
  const double x = t.wx * w.c1 + t.wy * w.s1, z = t.wz - m.d[0], d5 = m.d[4], far = std::sqrt(x * x + z * z);
  if (!(far > 0)) return;  // the same distance everywhere
  const double ux = x / far, uz = z / far;
  const double cosine = ux * w.s234 - uz * w.c234, sine = -ux * w.c234 - uz * w.s234;  // of z4 seen from u
  const double longest = m.a[1] + m.a[2], shortest = m.a[1] - m.a[2], sum = far * far + d5 * d5;
  const double low = std::clamp((sum - longest * longest) / (2 * d5 * far), -1.0, 1.0);
  const double high = std::clamp((sum - shortest * shortest) / (2 * d5 * far), -1.0, 1.0);
  const double allowed = std::min(std::max(cosine, low), high);
  if (allowed == cosine) return;
  const double turn = std::copysign(std::sqrt((1 - allowed) * (1 + allowed)), sine);
  const double z4x = allowed * ux - turn * uz, z4z = allowed * uz + turn * ux;
  w.s6 = -(t.xx * w.c1 + t.xy * w.s1) * z4x - t.xz * z4z;
  w.c6 = -(t.yx * w.c1 + t.yy * w.s1) * z4x - t.yz * z4z;
  const double length = std::sqrt(w.s6 * w.s6 + w.c6 * w.c6);
  w.s6 /= length, w.c6 /= length;
  w.s234 = z4x, w.c234 = -z4z;
}

class Search {
 public:
  Search(const Model& m, const Pose& X, double wrist_3, const Tolerance& tolerance, double straight_below,
         Solutions& out)
      : m_(m), t_(target_of(m, X)), wrist_3_(wrist_3), tolerance_(tolerance), straight_(straight_below), out_(out) {}

  void shoulders() {
    const double square = t_.wx * t_.wx + t_.wy * t_.wy, d4 = m_.d[3];
    double clear = square - d4 * d4;
    // NaN ends here too. A wrist nearer to the axis than d4 by less than the tolerance is moved out to it by the check.
    if (!(clear >= -4 * d4 * tolerance_.position)) return;
    out_.shoulder_singular = clear < d4 * d4 * 1e-12;
    const double rounding = shoulder_rounding(d4), wide = std::sqrt(rounding), v = std::sqrt(std::max(clear, 0.0));
    unsure_ = straight_moment(d4) / std::max(v, wide);
    shoulder(v, square);
    if (v > 0) shoulder(-v, square);
    if (clear > rounding || out_.count == (v > 0 ? 8 : 4)) return;
    out_.count = 0, straightened_ = false;
    shoulder(wide, square);  // the true one is between these: what rounding lost on one side is on the other
    shoulder(-wide, square);
  }

 private:
  void shoulder(double v, double square) {
    const double d4 = m_.d[3], length = 1 / std::sqrt((d4 * d4 + v * v) * square);
    wrists((t_.wx * d4 + t_.wy * v) * length, (t_.wx * v - t_.wy * d4) * length);
  }

  void wrists(double s1, double c1) {
    const double xn = t_.xx * s1 - t_.xy * c1, yn = t_.yx * s1 - t_.yy * c1, zn = t_.zx * s1 - t_.zy * c1;
    const double s5 = std::sqrt(xn * xn + yn * yn);
    const bool singular = s5 < std::max(0.5 * tolerance_.orientation, unsure_);
    out_.wrist_singular = out_.wrist_singular || singular;
    if (singular && s5 < std::max(straight_, unsure_) && straight_wrist(zn > 0 ? 1 : -1)) return;
    // Joint 5 negative: joint 6 and the sum of 2 to 4 turn by half a turn; the orientation stays as it is.
    for (const double side : {1.0, -1.0}) {
      Wrist w{s1, c1, side * s5, zn, -side * yn / s5, side * xn / s5, 0, 0};
      if (singular) prefer_given(w);
      set_sum(t_, w);
      if (singular || s5 < bent_sine) turn_into_reach(m_, t_, w);
      if (is_oriented(w)) elbows(w);
    }
  }

  // A wrist 3 that the pose cannot tell from the given one is the given one.
  void prefer_given(Wrist& w) const {
    const double s6 = std::sin(wrist_3_), c6 = std::cos(wrist_3_);
    const double off = std::abs(w.s5) * std::hypot(w.s6 - s6, w.c6 - c6);
    if (off < 0.01 * std::max(straight_sine, unsure_)) w.s6 = s6, w.c6 = c6;
  }

  // With axis 6 along the normal of the arm's plane: at the shoulder axis this is better known than the shoulders are,
  // and both are one. False when the orientation does not allow it.
  bool straight_wrist(double c5) {
    const double level = c5 / std::sqrt(t_.zx * t_.zx + t_.zy * t_.zy);
    Wrist w{t_.zx * level, -t_.zy * level, 0, c5, std::sin(wrist_3_), std::cos(wrist_3_), 0, 0};
    set_sum(t_, w);
    turn_into_reach(m_, t_, w);
    if (!is_oriented(w)) return false;
    if (!straightened_) elbows(w);
    return straightened_ = true;
  }

  bool is_oriented(const Wrist& w) const {
    return orientation_error(w, t_) <= 2 * tolerance_.orientation * tolerance_.orientation;
  }

  void elbows(const Wrist& w) {
    const double a2 = m_.a[1], a3 = m_.a[2];
    const double x = t_.wx * w.c1 + t_.wy * w.s1 - m_.d[4] * w.s234, z = t_.wz - m_.d[0] + m_.d[4] * w.c234;
    double c3 = (x * x + z * z - a2 * a2 - a3 * a3) / (2 * a2 * a3);
    // A little beyond is clamped; the check of the position decides whether that was within the tolerance.
    if (!(std::fabs(c3) <= 1 - 2 * tolerance_.position * (a2 + a3) / (a2 * a3))) return;
    c3 = std::clamp(c3, -1.0, 1.0);
    const double s3 = std::sqrt((1 - c3) * (1 + c3));
    const int before = out_.count;
    elbow(w, x, z, c3, s3);
    if (s3 > 0) elbow(w, x, z, c3, -s3);
    if (s3 < 1e-6 && out_.count > before) out_.elbow_singular = true;
  }

  void elbow(const Wrist& w, double x, double z, double c3, double s3) {
    const double a2 = m_.a[1], a3 = m_.a[2], reach = a2 + a3 * c3, across = a3 * s3;
    const double scale = 1 / std::sqrt((reach * reach + across * across) * (x * x + z * z));
    const double c2 = (x * reach + z * across) * scale, s2 = (z * reach - x * across) * scale;
    // Position by forward kinematics: the wrist point, which with the orientation checked stands for the flange.
    const double s23 = s2 * c3 + c2 * s3, c23 = c2 * c3 - s2 * s3;
    const double along = a2 * c2 + a3 * c23 + m_.d[4] * w.s234, up = a2 * s2 + a3 * s23 - m_.d[4] * w.c234;
    const double ex = w.c1 * along + w.s1 * m_.d[3] - t_.wx, ey = w.s1 * along - w.c1 * m_.d[3] - t_.wy;
    const double ez = m_.d[0] + up - t_.wz;
    if (!(ex * ex + ey * ey + ez * ez <= tolerance_.position * tolerance_.position) || out_.count == 8) return;
    const double q1 = std::atan2(w.s1, w.c1), q2 = std::atan2(s2, c2), q3 = std::atan2(s3, c3);
    const double q4 = wrapped(std::atan2(w.s234, w.c234) - q2 - q3);
    out_.q[static_cast<std::size_t>(out_.count++)] << q1, q2, q3, q4, std::atan2(w.s5, w.c5), std::atan2(w.s6, w.c6);
  }

  const Model& m_;
  const Target t_;
  const double wrist_3_;
  const Tolerance& tolerance_;
  const double straight_;
  Solutions& out_;
  double unsure_ = 0;  // sine of joint 5 below which joint 1 is not known well enough to tell where wrist 3 is
  bool straightened_ = false;
};

}  // namespace

int closed_form(const Model& model, const Pose& X_base_flange, Solutions& out, double wrist_3,
                const Tolerance& tolerance, double straight_below) {
  out.count = 0;
  out.wrist_singular = out.shoulder_singular = out.elbow_singular = false;
  if (std::isfinite(wrist_3)) Search(model, X_base_flange, wrist_3, tolerance, straight_below, out).shoulders();
  return out.count;
}

}  // namespace tandem::kinematics::ur
