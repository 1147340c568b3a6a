// SPDX-License-Identifier: Apache-2.0
// One pose or one set of joint angles on the vectors of lanes.hpp; include it as kernel_body.hpp. The eight solutions
// of a pose differ by three signs, so that each is a lane: bit 2 of its number is the shoulder, bit 1 the wrist, bit 0
// the elbow.
#pragma once

#include "tandem/kinematics/ur/kernel_body.hpp"

namespace tandem::kinematics::ur::kernel {
namespace {

alignas(64) constexpr double shoulder_side[8] = {1, 1, 1, 1, -1, -1, -1, -1};
alignas(64) constexpr double wrist_side[8] = {1, 1, -1, -1, 1, 1, -1, -1};
alignas(64) constexpr double elbow_side[8] = {1, -1, 1, -1, 1, -1, 1, -1};
alignas(64) constexpr double of_four[8] = {0, 1, 2, 3, 0, 1, 2, 3};

inline Target target_at(const Numbers& m, const double* r) {
  Target t;
  t.xx = all(r[0]), t.xy = all(r[1]), t.xz = all(r[2]);
  t.yx = all(r[4]), t.yy = all(r[5]), t.yz = all(r[6]);
  t.zx = all(r[8]), t.zy = all(r[9]), t.zz = all(r[10]);
  set_wrist_point(m, all(r[12]), all(r[13]), all(r[14]), t);
  return t;
}

// The four lanes of a shoulder share joints 1, 5, 6 and the sum of 2 to 4: each lane finds one of the angles for all.
inline Vector shared_angle(const Wrist& w, Vector place) {
  const Bits first = place == all(0), second = place == all(1), third = place == all(2);
  return angle_of(choose(first, w.s1, choose(second, w.s5, choose(third, w.s6, w.s234))),
                  choose(first, w.c1, choose(second, w.c5, choose(third, w.c6, w.c234))));
}

struct Angles {
  double shared[8];  // of the first shoulder joints 1, 5, 6 and the sum of 2 to 4, then of the second
  double q2[8], q3[8];
};

// The lanes from branch `at` on.
inline unsigned solve_branches(const Numbers& m, const Target& t, const Shoulders& both, int at, Angles& angles) {
  Wrist w = wrist_of(m, t, load(shoulder_side + at) * both.v, both.length);
  const Bits singular = both.singular | (both.valid & is_straight(m, w));
  Bits valid = both.valid & is_oriented(m, t, w);
  store(angles.shared + at, shared_angle(w, load(of_four + at)));
  const Vector side = load(wrist_side + at);
  w.s234 *= side, w.c234 *= side;
  const Reach r = reach_of(m, t, w);
  const Vector s3 = r.s3 * load(elbow_side + at);
  const Elbow found = elbow(m, t, w, r, s3);
  Vector q2, q3;
  two_angles(found.s2, found.c2, s3, r.c3, q2, q3);
  store(angles.q2 + at, q2);
  store(angles.q3 + at, q3);
  valid &= r.within;
  const Bits stretched = valid & (r.s3 < all(1e-6));
  valid &= found.right & ((r.s3 > all(0)) | (load(elbow_side + at) > all(0)));
  return bits_of(valid) << at | (bits_of(stretched) != 0 ? elbow_is_singular : 0) |
         (bits_of(singular) != 0 ? is_singular : 0);
}

inline double half_turn_on(double angle) { return angle - (angle > 0 ? 3.1415926535897931 : -3.1415926535897931); }

inline double within_turn(double angle) {
  constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52
  return angle - ((angle * 0.15915494309189535 + rounding) - rounding) * 6.2831853071795862;
}

// Puts solution k into `q` where there is one; what is none is written over by the next, as guessing takes longer.
inline int put(const Angles& angles, int k, bool found, double* q) {
  const double* const shared = angles.shared + (k & 4);
  const bool other = (k & 2) != 0;
  const double sum = other ? half_turn_on(shared[3]) : shared[3];
  q[0] = shared[0];
  q[1] = angles.q2[k];
  q[2] = angles.q3[k];
  q[3] = within_turn(sum - angles.q2[k] - angles.q3[k]);
  q[4] = other ? -shared[1] : shared[1];
  q[5] = other ? half_turn_on(shared[2]) : shared[2];
  return found ? 1 : 0;
}

int all_one(const Numbers& m, const double* pose, double* q, unsigned* singular) {
  const Target t = target_at(m, pose);
  const Shoulders both = shoulders_of(m, t);
  alignas(64) Angles angles;
  unsigned bits = 0;
#pragma GCC unroll 4
  for (int at = 0; at < 8; at += lanes) bits |= solve_branches(m, t, both, at, angles);
  *singular = bits & ~0xffu;
  int count = 0;
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) count += put(angles, k, (bits >> k & 1) != 0, q + 6 * count);
  return count;
}

// Axes 2, 3 and 4 are parallel: with the sum of their angles the product of the six matrices folds to this.
inline void flange(const Numbers& m, const double* q, double* r) {
  const double angles[8] = {q[0], q[1], q[1] + q[2], q[1] + q[2] + q[3], q[4], q[5], 0, 0};
  alignas(64) double sines[8], cosines[8];
#pragma GCC unroll 4
  for (int at = 0; at < 6; at += lanes) {
    Vector angle, sine, cosine;
    for (int k = 0; k < lanes; ++k) angle[k] = angles[at + k];
    sine_cosine(angle, sine, cosine);
    store(sines + at, sine);
    store(cosines + at, cosine);
  }
  const double s1 = sines[0], s2 = sines[1], s23 = sines[2], s234 = sines[3], s5 = sines[4], s6 = sines[5];
  const double c1 = cosines[0], c2 = cosines[1], c23 = cosines[2], c234 = cosines[3], c5 = cosines[4], c6 = cosines[5];
  // Frame 4: x along (c234, s234) in the arm's plane, y along the plane's normal (s1, -c1, 0), z across both.
  const double xx = c1 * c234, xy = s1 * c234, zx = c1 * s234, zy = s1 * s234;
  const double k1 = c5 * c6, k2 = s5 * c6, k3 = c5 * s6, k4 = s5 * s6;
  r[0] = k1 * xx + k2 * s1 - s6 * zx;
  r[1] = k1 * xy - k2 * c1 - s6 * zy;
  r[2] = k1 * s234 + s6 * c234;
  r[4] = -k3 * xx - k4 * s1 - c6 * zx;
  r[5] = -k3 * xy + k4 * c1 - c6 * zy;
  r[6] = -k3 * s234 + c6 * c234;
  r[8] = -s5 * xx + c5 * s1;
  r[9] = -s5 * xy - c5 * c1;
  r[10] = -s5 * s234;
  const double along = m.a2 * c2 + m.a3 * c23 + m.d5 * s234, up = m.a2 * s2 + m.a3 * s23 - m.d5 * c234;
  r[12] = c1 * along + s1 * m.d4 + m.d6 * r[8];
  r[13] = s1 * along - c1 * m.d4 + m.d6 * r[9];
  r[14] = m.d1 + up + m.d6 * r[10];
  r[3] = r[7] = r[11] = 0;
  r[15] = 1;
}

}  // namespace
}  // namespace tandem::kinematics::ur::kernel
