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

inline void set_wrist_point(const Numbers& m, Vector x, Vector y, Vector z, Target& t) {
  t.wx = x - m.d6 * t.zx;
  t.wy = y - m.d6 * t.zy;
  t.wz = z - m.d6 * t.zz;
}

inline Target target_of(const Numbers& m, const double* const* pose, std::size_t i) {
  const Vector w = load(pose[3] + i), x = load(pose[4] + i), y = load(pose[5] + i), z = load(pose[6] + i);
  const Vector s = 2 / (w * w + x * x + y * y + z * z);
  const Vector sx = s * x, sy = s * y, sz = s * z;
  Target t;
  t.xx = 1 - (sy * y + sz * z), t.xy = sx * y + sz * w, t.xz = sx * z - sy * w;
  t.yx = sx * y - sz * w, t.yy = 1 - (sx * x + sz * z), t.yz = sy * z + sx * w;
  t.zx = sx * z + sy * w, t.zy = sy * z - sx * w, t.zz = 1 - (sx * x + sy * y);
  set_wrist_point(m, load(pose[0] + i), load(pose[1] + i), load(pose[2] + i), t);
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

// Where wrist 1 is to be, seen from the shoulder in the plane of the arm, and the angle of the elbow for it.
struct Reach {
  Vector x, z, c3, s3;
  Vector scale;  // makes sine and cosine of joint 2
  Bits within;
};

inline Reach reach_of(const Numbers& m, const Target& t, const Wrist& w) {
  Reach r;
  r.x = t.wx * w.c1 + t.wy * w.s1 - m.d5 * w.s234;
  r.z = t.wz - m.d1 + m.d5 * w.c234;
  const Vector square = r.x * r.x + r.z * r.z;
  const Vector c3 = (square - (m.a2 * m.a2 + m.a3 * m.a3)) * (1 / (2 * m.a2 * m.a3));
  r.c3 = choose(c3 > all(1), all(1), choose(c3 < all(-1), all(-1), c3));
  r.s3 = square_root((1 - r.c3) * (1 + r.c3));
  const Vector reach = m.a2 + m.a3 * r.c3, across = m.a3 * r.s3, spanned = reach * reach + across * across;
  r.scale = 1 / spanned;
  // Sine and cosine of joint 2 are too long or too short by what a clamped elbow misses.
  const Vector missed = square - spanned;
  r.within = missed * missed <= 4 * m.position * m.position * spanned;
  return r;
}

// One elbow, s3 of either sign: joint 2 by sine and cosine, and whether the wrist point is where it should be.
struct Elbow {
  Vector s2, c2;
  Bits right;
};

inline Elbow elbow(const Numbers& m, const Target& t, const Wrist& w, const Reach& r, Vector s3) {
  const Vector reach = m.a2 + m.a3 * r.c3, across = m.a3 * s3;
  const Vector c2 = (r.x * reach + r.z * across) * r.scale, s2 = (r.z * reach - r.x * across) * r.scale;
  const Vector s23 = s2 * r.c3 + c2 * s3, c23 = c2 * r.c3 - s2 * s3;
  const Vector along = m.a2 * c2 + m.a3 * c23 + m.d5 * w.s234, up = m.a2 * s2 + m.a3 * s23 - m.d5 * w.c234;
  const Vector ex = w.c1 * along + w.s1 * m.d4 - t.wx, ey = w.s1 * along - w.c1 * m.d4 - t.wy, ez = m.d1 + up - t.wz;
  return {s2, c2, ex * ex + ey * ey + ez * ez <= all(m.position * m.position)};
}

template <int Index>
inline void elbows(const Numbers& m, const Target& t, const Wrist& w, Bits valid, Sink& sink) {
  const Reach r = reach_of(m, t, w);
  const Vector q3 = angle_of(r.s3, r.c3);
  const Elbow one = elbow(m, t, w, r, r.s3), two = elbow(m, t, w, r, -r.s3);
  Vector q2, other;
  two_angles(one.s2, one.c2, two.s2, two.c2, q2, other);
  valid &= r.within;
  put<Index>(sink, valid & one.right, w.q1, q2, q3, wrapped(w.q234 - q2 - q3), w.q5, w.q6);
  put<Index + 1>(sink, valid & two.right & (r.s3 > all(0)), w.q1, other, -q3, wrapped(w.q234 - other + q3), w.q5, w.q6);
}

// Sines and cosines of one shoulder and the wrist whose joint 5 is positive; the wrist has no angles yet.
inline Wrist wrist_of(const Numbers& m, const Target& t, Vector v, Vector length) {
  Wrist w;
  w.s1 = (t.wx * m.d4 + t.wy * v) * length, w.c1 = (t.wx * v - t.wy * m.d4) * length;
  const Vector xn = t.xx * w.s1 - t.xy * w.c1, yn = t.yx * w.s1 - t.yy * w.c1;
  w.s5 = square_root(xn * xn + yn * yn), w.c5 = t.zx * w.s1 - t.zy * w.c1;
  const Vector scale = 1 / w.s5;
  w.s6 = -yn * scale, w.c6 = xn * scale;
  w.s234 = -(w.s6 * (t.xx * w.c1 + t.xy * w.s1) + w.c6 * (t.yx * w.c1 + t.yy * w.s1));
  w.c234 = w.s6 * t.xz + w.c6 * t.yz;
  return w;
}

inline Bits is_straight(const Numbers& m, const Wrist& w) {
  return w.s5 < all(m.bent_sine > 0.5 * m.orientation ? m.bent_sine : 0.5 * m.orientation);
}

inline Bits is_oriented(const Numbers& m, const Target& t, const Wrist& w) {
  return orientation_error(w, t) <= all(2 * m.orientation * m.orientation);
}

template <int Index>
inline void wrists(const Numbers& m, const Target& t, Bits valid, Vector v, Vector length, Sink& sink) {
  Wrist w = wrist_of(m, t, v, length);
  sink.singular |= valid & is_straight(m, w);
  valid &= is_oriented(m, t, w);
  two_angles(w.s1, w.c1, w.s5, w.c5, w.q1, w.q5);
  two_angles(w.s6, w.c6, w.s234, w.c234, w.q6, w.q234);
  elbows<Index>(m, t, w, valid, sink);
  const Wrist other = {w.s1,    w.c1,    -w.s5, w.c5,  -w.s6,          -w.c6,
                       -w.s234, -w.c234, w.q1,  -w.q5, opposite(w.q6), opposite(w.q234)};
  elbows<Index + 2>(m, t, other, valid, sink);
}

// Both shoulders: how far the wrist point is from its circle about axis 1, to either side.
struct Shoulders {
  Vector v, length;
  Bits valid, singular;
};

inline Shoulders shoulders_of(const Numbers& m, const Target& t) {
  const Vector square = t.wx * t.wx + t.wy * t.wy, difference = square - m.d4 * m.d4;
  const Vector clear = larger(difference, all(0));
  const Bits valid = difference >= all(-4 * m.d4 * m.position);
  return {square_root(clear), 1 / square_root((m.d4 * m.d4 + clear) * square), valid,
          valid & (difference < all(m.shoulder_rounding))};
}

inline void solve(const Numbers& m, const double* const* pose, Sink& sink) {
  const Target t = target_of(m, pose, sink.at);
  const Shoulders both = shoulders_of(m, t);
  sink.singular = both.singular;
  wrists<0>(m, t, both.valid, both.v, both.length, sink);
  wrists<4>(m, t, both.valid, -both.v, both.length, sink);
}

inline void put_bits(const Sink& sink, std::size_t count, unsigned char* found, unsigned char* singular) {
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
  double* to[48];
  const double* from[7];
#if defined(__AVX512F__)
  // Half a vector or less is faster on the next narrower ones.
  if (2 * (count - i) <= lanes) {
    for (int r = 0; r < 7; ++r) from[r] = pose[r] + i;
    for (int r = 0; r < 48; ++r) to[r] = q[r] + i;
    return avx2.all_many(m, from, count - i, to, found + i, singular + i);
  }
#endif
  // The rest goes through a vector of its own, filled up with its first pose.
  double in[7][lanes], out[48][lanes];
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
