// SPDX-License-Identifier: Apache-2.0
// The loop behind kernel::Kernels, written once for any number of lanes, a pose per lane. The formulas are those of
// closed_form.cpp and are explained there.
#pragma once

#include "tandem/kinematics/ur/angle_lanes.hpp"
#include "tandem/kinematics/ur/kernels.hpp"

namespace tandem::kinematics::ur::kernel {
namespace {

struct Target {
  Vector xx, xy, xz, yx, yy, yz, zx, zy, zz;  // axes x, y, z of the flange, by component
  Vector wx, wy, wz;                          // wrist point
};

struct Wrist {
  Vector s1, c1, s5, c5, s6, c6, s234, c234;
  Vector q1, q5, q6, q234;
};

// Where the answers of one vector of poses go.
struct Sink {
  double* const* q;
  std::size_t at;
  Bits found, singular;
};

inline Target target_of(const Numbers& m, const double* const* pose, std::size_t i) {
  const Vector w = load(pose[3] + i), x = load(pose[4] + i), y = load(pose[5] + i), z = load(pose[6] + i);
  const Vector s = 2 / (w * w + x * x + y * y + z * z);
  const Vector sx = s * x, sy = s * y, sz = s * z;
  Target t;
  t.xx = 1 - (sy * y + sz * z), t.xy = sx * y + sz * w, t.xz = sx * z - sy * w;
  t.yx = sx * y - sz * w, t.yy = 1 - (sx * x + sz * z), t.yz = sy * z + sx * w;
  t.zx = sx * z + sy * w, t.zy = sy * z - sx * w, t.zz = 1 - (sx * x + sy * y);
  t.wx = load(pose[0] + i) - m.d6 * t.zx;
  t.wy = load(pose[1] + i) - m.d6 * t.zy;
  t.wz = load(pose[2] + i) - m.d6 * t.zz;
  return t;
}

// Twice the square of the angle between the wrist's orientation and the target's, for small angles.
inline Vector orientation_error(const Wrist& w, const Target& t) {
  const Vector xx = w.c1 * w.c234, xy = w.s1 * w.c234, zx = w.c1 * w.s234, zy = w.s1 * w.s234;
  const Vector k1 = w.c5 * w.c6, k2 = w.s5 * w.c6, k3 = w.c5 * w.s6, k4 = w.s5 * w.s6;
  const Vector e0 = k1 * xx + k2 * w.s1 - w.s6 * zx - t.xx, e1 = k1 * xy - k2 * w.c1 - w.s6 * zy - t.xy;
  const Vector e2 = k1 * w.s234 + w.s6 * w.c234 - t.xz, e3 = k3 * xx + k4 * w.s1 + w.c6 * zx + t.yx;
  const Vector e4 = k3 * xy - k4 * w.c1 + w.c6 * zy + t.yy, e5 = k3 * w.s234 - w.c6 * w.c234 + t.yz;
  const Vector e6 = w.s5 * xx - w.c5 * w.s1 + t.zx, e7 = w.s5 * xy + w.c5 * w.c1 + t.zy, e8 = w.s5 * w.s234 + t.zz;
  return (e0 * e0 + e1 * e1 + e2 * e2) + (e3 * e3 + e4 * e4 + e5 * e5) + (e6 * e6 + e7 * e7 + e8 * e8);
}

template <int Index>
inline void put(Sink& sink, Bits valid, Vector q1, Vector q2, Vector q3, Vector q4, Vector q5, Vector q6) {
  const Vector none = all(__builtin_nan(""));
  const Vector values[6] = {q1, q2, q3, q4, q5, q6};
  for (int j = 0; j < 6; ++j) store(sink.q[Index * 6 + j] + sink.at, choose(valid, values[j], none));
  sink.found |= valid & (1LL << Index);
}

// One elbow: joint 2 by sine and cosine, and whether the wrist point is where it should be.
struct Elbow {
  Vector s2, c2;
  Bits right;
};

inline Elbow elbow(const Numbers& m, const Target& t, const Wrist& w, Vector x, Vector z, Vector c3, Vector s3,
                   Vector scale) {
  const Vector reach = m.a2 + m.a3 * c3, across = m.a3 * s3;
  const Vector c2 = (x * reach + z * across) * scale, s2 = (z * reach - x * across) * scale;
  const Vector s23 = s2 * c3 + c2 * s3, c23 = c2 * c3 - s2 * s3;
  const Vector along = m.a2 * c2 + m.a3 * c23 + m.d5 * w.s234, up = m.a2 * s2 + m.a3 * s23 - m.d5 * w.c234;
  const Vector ex = w.c1 * along + w.s1 * m.d4 - t.wx, ey = w.s1 * along - w.c1 * m.d4 - t.wy, ez = m.d1 + up - t.wz;
  return {s2, c2, ex * ex + ey * ey + ez * ez <= all(m.position * m.position)};
}

template <int Index>
inline void elbows(const Numbers& m, const Target& t, const Wrist& w, Bits valid, Sink& sink) {
  const Vector x = t.wx * w.c1 + t.wy * w.s1 - m.d5 * w.s234;
  const Vector z = t.wz - m.d1 + m.d5 * w.c234;
  const Vector square = x * x + z * z;
  Vector c3 = (square - (m.a2 * m.a2 + m.a3 * m.a3)) * (1 / (2 * m.a2 * m.a3));
  const Bits within = magnitude(c3) <= all(1 - 2 * m.position * (m.a2 + m.a3) / (m.a2 * m.a3));
  c3 = choose(c3 > all(1), all(1), choose(c3 < all(-1), all(-1), c3));
  const Vector s3 = square_root((1 - c3) * (1 + c3)), q3 = angle_of(s3, c3);
  const Vector reach = m.a2 + m.a3 * c3, across = m.a3 * s3;
  const Vector scale = 1 / square_root((reach * reach + across * across) * square);
  const Elbow one = elbow(m, t, w, x, z, c3, s3, scale), two = elbow(m, t, w, x, z, c3, -s3, scale);
  Vector q2, other;
  two_angles(one.s2, one.c2, two.s2, two.c2, q2, other);
  valid &= within;
  put<Index>(sink, valid & one.right, w.q1, q2, q3, wrapped(w.q234 - q2 - q3), w.q5, w.q6);
  put<Index + 1>(sink, valid & two.right & (s3 > all(0)), w.q1, other, -q3, wrapped(w.q234 - other + q3), w.q5, w.q6);
}

inline double larger_of(double a, double b) { return a > b ? a : b; }

template <int Index>
inline void wrists(const Numbers& m, const Target& t, Bits valid, Vector v, Vector length, Sink& sink) {
  const Vector s1 = (t.wx * m.d4 + t.wy * v) * length, c1 = (t.wx * v - t.wy * m.d4) * length;
  const Vector xn = t.xx * s1 - t.xy * c1, yn = t.yx * s1 - t.yy * c1, zn = t.zx * s1 - t.zy * c1;
  const Vector sine = square_root(xn * xn + yn * yn), scale = 1 / sine;
  sink.singular |= valid & (sine < all(larger_of(m.bent_sine, 0.5 * m.orientation)));
  Wrist w;
  w.s1 = s1, w.c1 = c1, w.s5 = sine, w.c5 = zn;
  w.s6 = -yn * scale, w.c6 = xn * scale;
  w.s234 = -(w.s6 * (t.xx * c1 + t.xy * s1) + w.c6 * (t.yx * c1 + t.yy * s1));
  w.c234 = w.s6 * t.xz + w.c6 * t.yz;
  valid &= orientation_error(w, t) <= all(2 * m.orientation * m.orientation);
  two_angles(s1, c1, w.s5, w.c5, w.q1, w.q5);
  two_angles(w.s6, w.c6, w.s234, w.c234, w.q6, w.q234);
  elbows<Index>(m, t, w, valid, sink);
  const Wrist other = {s1,      c1,      -w.s5, w.c5,  -w.s6,          -w.c6,
                       -w.s234, -w.c234, w.q1,  -w.q5, opposite(w.q6), opposite(w.q234)};
  elbows<Index + 2>(m, t, other, valid, sink);
}

inline void solve(const Numbers& m, const double* const* pose, Sink& sink) {
  const Target t = target_of(m, pose, sink.at);
  const Vector square = t.wx * t.wx + t.wy * t.wy;
  const Vector difference = square - m.d4 * m.d4;
  const Bits valid = difference >= all(-4 * m.d4 * m.position);
  sink.singular |= valid & (difference < all(m.shoulder_rounding));
  const Vector clear = larger(difference, all(0));
  const Vector v = square_root(clear), length = 1 / square_root((m.d4 * m.d4 + clear) * square);
  wrists<0>(m, t, valid, v, length, sink);
  wrists<4>(m, t, valid, -v, length, sink);
}

void put_bits(const Sink& sink, std::size_t count, unsigned char* found, unsigned char* singular) {
  for (std::size_t k = 0; k < count; ++k) {
    found[k] = static_cast<unsigned char>(sink.found[static_cast<int>(k)]);
    singular[k] = static_cast<unsigned char>(sink.singular[static_cast<int>(k)] & 1);
  }
}

void all_many(const Numbers& m, const double* const* pose, std::size_t count, double* const* q, unsigned char* found,
              unsigned char* singular) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    Sink sink{q, i, {}, {}};
    solve(m, pose, sink);
    put_bits(sink, lanes, found + i, singular + i);
  }
  if (i == count) return;
  // The rest goes through a vector of its own, filled up with its first pose.
  double in[7][lanes], out[48][lanes];
  const double* from[7];
  double* to[48];
  for (int r = 0; r < 7; ++r) {
    from[r] = in[r];
    for (std::size_t k = 0; k < lanes; ++k) in[r][k] = pose[r][i + k < count ? i + k : i];
  }
  for (int r = 0; r < 48; ++r) to[r] = out[r];
  Sink sink{to, 0, {}, {}};
  solve(m, from, sink);
  put_bits(sink, count - i, found + i, singular + i);
  for (int r = 0; r < 48; ++r)
    for (std::size_t k = 0; i + k < count; ++k) q[r][i + k] = out[r][k];
}

}  // namespace
}  // namespace tandem::kinematics::ur::kernel
