// SPDX-License-Identifier: Apache-2.0
// UR kinematics as textbooks have them, in scalar code with the C library's functions: a peer to measure against.
// Written for this benchmark after K. Hawkins, "Analytic Inverse Kinematics for the Universal Robots UR-5/UR-10 Arms"
// (2013).
#pragma once

#include <cmath>

#include "tandem/kinematics/ur/ur.hpp"

namespace textbook {

using tandem::Pose;
using tandem::kinematics::ur::Joints;
using tandem::kinematics::ur::Model;

inline Pose forward(const Model& m, const Joints& q) {
  const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s2 = std::sin(q[1]), c2 = std::cos(q[1]);
  const double s23 = std::sin(q[1] + q[2]), c23 = std::cos(q[1] + q[2]);
  const double s234 = std::sin(q[1] + q[2] + q[3]), c234 = std::cos(q[1] + q[2] + q[3]);
  const double s5 = std::sin(q[4]), c5 = std::cos(q[4]), s6 = std::sin(q[5]), c6 = std::cos(q[5]);
  Pose X = Pose::Identity();
  auto& r = X.matrix();
  r(0, 0) = c6 * (s1 * s5 + c1 * c234 * c5) - s6 * c1 * s234;
  r(1, 0) = c6 * (s1 * c234 * c5 - c1 * s5) - s6 * s1 * s234;
  r(2, 0) = c6 * s234 * c5 + s6 * c234;
  r(0, 1) = -s6 * (s1 * s5 + c1 * c234 * c5) - c6 * c1 * s234;
  r(1, 1) = -s6 * (s1 * c234 * c5 - c1 * s5) - c6 * s1 * s234;
  r(2, 1) = -s6 * s234 * c5 + c6 * c234;
  r(0, 2) = s1 * c5 - c1 * c234 * s5;
  r(1, 2) = -c1 * c5 - s1 * c234 * s5;
  r(2, 2) = -s234 * s5;
  const double along = m.a[1] * c2 + m.a[2] * c23 + m.d[4] * s234;
  r(0, 3) = c1 * along + m.d[3] * s1 + m.d[5] * r(0, 2);
  r(1, 3) = s1 * along - m.d[3] * c1 + m.d[5] * r(1, 2);
  r(2, 3) = m.d[0] + m.a[1] * s2 + m.a[2] * s23 - m.d[4] * c234 + m.d[5] * r(2, 2);
  return X;
}

// Up to eight solutions, none of them checked; singular poses are not looked after. Returns the count.
inline int inverse(const Model& m, const Pose& X, Joints (&out)[8]) {
  const auto& r = X.matrix();
  const double wx = r(0, 3) - m.d[5] * r(0, 2), wy = r(1, 3) - m.d[5] * r(1, 2), radius = std::hypot(wx, wy);
  if (radius < m.d[3]) return 0;
  int count = 0;
  const double towards = std::atan2(wy, wx), aside = std::acos(m.d[3] / radius);
  for (const double side1 : {1.0, -1.0}) {
    const double q1 = towards + side1 * aside + M_PI / 2, s1 = std::sin(q1), c1 = std::cos(q1);
    const double c5 = (r(0, 3) * s1 - r(1, 3) * c1 - m.d[3]) / m.d[5];
    if (std::abs(c5) > 1) continue;
    for (const double side5 : {1.0, -1.0}) {
      const double q5 = side5 * std::acos(c5), s5 = std::sin(q5);
      const double q6 = std::atan2((r(1, 1) * c1 - r(0, 1) * s1) / s5, (r(0, 0) * s1 - r(1, 0) * c1) / s5);
      const double s6 = std::sin(q6), c6 = std::cos(q6);
      const double zx = -(s6 * (r(0, 0) * c1 + r(1, 0) * s1) + c6 * (r(0, 1) * c1 + r(1, 1) * s1));
      const double zz = -(s6 * r(2, 0) + c6 * r(2, 1)), q234 = std::atan2(zx, -zz);
      const double x = wx * c1 + wy * s1 - m.d[4] * zx, z = r(2, 3) - m.d[5] * r(2, 2) - m.d[0] - m.d[4] * zz;
      const double c3 = (x * x + z * z - m.a[1] * m.a[1] - m.a[2] * m.a[2]) / (2 * m.a[1] * m.a[2]);
      if (std::abs(c3) > 1) continue;
      for (const double side3 : {1.0, -1.0}) {
        const double q3 = side3 * std::acos(c3), across = m.a[2] * std::sin(q3), reach = m.a[1] + m.a[2] * c3;
        const double q2 = std::atan2(z * reach - x * across, x * reach + z * across);
        Joints& q = out[count++];
        q << q1, q2, q3, q234 - q2 - q3, q5, q6;
        for (int i = 0; i < 6; ++i) q[i] = std::remainder(q[i], 2 * M_PI);
      }
    }
  }
  return count;
}

}  // namespace textbook
