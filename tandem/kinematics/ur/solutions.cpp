// SPDX-License-Identifier: Apache-2.0
// The closed form. With u = (c1, s1, 0) and up = z the plane of the arm, n = (s1, -c1, 0) its normal:
//   the wrist point w = p - d6 z6 lies at w . n = d4           -> joint 1, two shoulders
//   x6 . n = s5 c6,  y6 . n = -s5 s6,  z6 . n = c5             -> joints 5 and 6, two wrists
//   z4 = -(s6 x6 + c6 y6) = (sin, -cos) of q2+q3+q4 in (u, up) -> the sum of joints 2 to 4
//   w - d5 z4 - d1 up = a2 (c2, s2) + a3 (c23, s23)            -> joints 2 and 3, two elbows
#include <cmath>
#include <numbers>

#include "tandem/kinematics/ur/inverse.hpp"

namespace tandem::kinematics::ur {
namespace {

using std::numbers::pi;

// Into [-pi, pi], without a branch.
double wrapped(double angle) {
  constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  return angle - 2 * pi * ((angle * (0.5 / pi) + rounding) - rounding);
}

// Half a turn on, within [-pi, pi].
double opposite(double angle) { return angle - std::copysign(pi, angle); }

struct Target {
  double xx, xy, xz, yx, yy, yz, zx, zy, zz;  // axes x, y, z of the flange, by component
  double px, py, pz;
  double wx, wy, wz;  // wrist point: where axes 5 and 6 meet
};

Target target_of(const Model& m, const Pose& X) {
  const auto& r = X.matrix();
  Target t{r(0, 0), r(1, 0), r(2, 0), r(0, 1), r(1, 1), r(2, 1), r(0, 2), r(1, 2),
           r(2, 2), r(0, 3), r(1, 3), r(2, 3), 0,       0,       0};
  t.wx = t.px - m.d[5] * t.zx;
  t.wy = t.py - m.d[5] * t.zy;
  t.wz = t.pz - m.d[5] * t.zz;
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

// Elbows of one shoulder and wrist. q1, q5, q6 and the sum of 2 to 4 are known.
void add_elbows(const Model& m, const Target& t, const Wrist& w, double q1, double q5, double q6, double q234,
                const Tolerance& tolerance, Solutions& out) {
  const double a2 = m.a[1], a3 = m.a[2];
  const double x = t.wx * w.c1 + t.wy * w.s1 - m.d[4] * w.s234;
  const double z = t.wz - m.d[0] + m.d[4] * w.c234;
  const double square = x * x + z * z;
  double c3 = (square - a2 * a2 - a3 * a3) / (2 * a2 * a3);
  // A little beyond is clamped; the check below decides whether that was within the tolerance.
  if (!(std::fabs(c3) <= 1 - 2 * tolerance.position * (a2 + a3) / (a2 * a3))) return;
  if (c3 > 1) c3 = 1;
  if (c3 < -1) c3 = -1;
  const double s3 = std::sqrt((1 - c3) * (1 + c3));
  const double reach = a2 + a3 * c3, across = a3 * s3;
  const double scale = 1 / (reach * reach + across * across);
  const double q3 = std::atan2(s3, c3);
  if (s3 < 1e-6) out.elbow_singular = true;
  for (int elbow = 0; elbow < (s3 == 0 ? 1 : 2); ++elbow) {
    const double h = elbow == 0 ? across : -across;
    const double c2 = (x * reach + z * h) * scale, s2 = (z * reach - x * h) * scale;
    const double sign3 = elbow == 0 ? s3 : -s3;
    // Position by forward kinematics: the wrist point, which with the orientation checked stands for the flange.
    const double s23 = s2 * c3 + c2 * sign3, c23 = c2 * c3 - s2 * sign3;
    const double along = a2 * c2 + a3 * c23 + m.d[4] * w.s234, up = a2 * s2 + a3 * s23 - m.d[4] * w.c234;
    const double ex = w.c1 * along + w.s1 * m.d[3] - t.wx, ey = w.s1 * along - w.c1 * m.d[3] - t.wy;
    const double ez = m.d[0] + up - t.wz;
    if (!(ex * ex + ey * ey + ez * ez <= tolerance.position * tolerance.position)) continue;
    const double q2 = std::atan2(s2, c2), signed3 = elbow == 0 ? q3 : -q3;
    out.q[static_cast<std::size_t>(out.count++)] << q1, q2, signed3, wrapped(q234 - q2 - signed3), q5, q6;
  }
}

// Wrists of one shoulder.
void add_wrists(const Model& m, const Target& t, double s1, double c1, double wrist_3, const Tolerance& tolerance,
                Solutions& out) {
  const double xn = t.xx * s1 - t.xy * c1, yn = t.yx * s1 - t.yy * c1, zn = t.zx * s1 - t.zy * c1;
  const double s5 = std::sqrt(xn * xn + yn * yn);
  const bool singular = s5 < 0.5 * tolerance.orientation;
  Wrist w{s1, c1, s5, zn, 0, 0, 0, 0};
  double q6;
  if (singular) {
    out.wrist_singular = true;
    q6 = wrapped(std::fmod(wrist_3, 2 * pi));
    w.s6 = std::sin(q6), w.c6 = std::cos(q6);
    w.s5 = 0, w.c5 = zn > 0 ? 1 : -1;
  } else {
    const double scale = 1 / s5;
    w.s6 = -yn * scale, w.c6 = xn * scale;
    q6 = std::atan2(w.s6, w.c6);
  }
  w.s234 = -(w.s6 * (t.xx * c1 + t.xy * s1) + w.c6 * (t.yx * c1 + t.yy * s1));
  w.c234 = w.s6 * t.xz + w.c6 * t.yz;
  if (!(orientation_error(w, t) <= 2 * tolerance.orientation * tolerance.orientation)) return;
  const double q1 = std::atan2(s1, c1), q5 = std::atan2(w.s5, w.c5), q234 = std::atan2(w.s234, w.c234);
  add_elbows(m, t, w, q1, q5, q6, q234, tolerance, out);
  if (singular) return;  // the other wrist is this one with wrist 3 half a turn on
  // Joint 5 negative: joint 6 and the sum of 2 to 4 turn by half a turn; the orientation stays as it is.
  const Wrist other{s1, c1, -w.s5, w.c5, -w.s6, -w.c6, -w.s234, -w.c234};
  add_elbows(m, t, other, q1, -q5, opposite(q6), opposite(q234), tolerance, out);
}

}  // namespace

int all_solutions(const Model& m, const Pose& X_base_flange, Solutions& out, double wrist_3,
                  const Tolerance& tolerance) {
  out.count = 0;
  out.wrist_singular = out.shoulder_singular = out.elbow_singular = false;
  const Target t = target_of(m, X_base_flange);
  const double square = t.wx * t.wx + t.wy * t.wy, d4 = m.d[3];
  double clear = square - d4 * d4;
  // NaN ends here too. A wrist nearer to the axis than d4 by less than the tolerance is moved out to it by the check.
  if (!(clear >= -4 * d4 * tolerance.position) || !std::isfinite(wrist_3)) return 0;
  out.shoulder_singular = clear < d4 * d4 * 1e-12;
  if (clear < 0) clear = 0;
  const double w = std::sqrt(clear);
  const double length = 1 / std::sqrt((d4 * d4 + clear) * square);
  for (int shoulder = 0; shoulder < (w == 0 ? 1 : 2); ++shoulder) {
    const double v = shoulder == 0 ? w : -w;
    add_wrists(m, t, (t.wx * d4 + t.wy * v) * length, (t.wx * v - t.wy * d4) * length, wrist_3, tolerance, out);
  }
  return out.count;
}

}  // namespace tandem::kinematics::ur
