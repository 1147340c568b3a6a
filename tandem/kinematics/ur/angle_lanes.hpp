// SPDX-License-Identifier: Apache-2.0
// Angles on the vectors of lanes.hpp; include it the same way.
#pragma once

#include "tandem/kinematics/lanes.hpp"

namespace {

// As select(), but for masks that come from comparisons: one instruction where the processor has one.
inline Vector choose(Bits mask, Vector yes, Vector no) { return mask ? yes : no; }

// An atan2 on its way: the smaller over the larger magnitude, brought below tan(pi/8) by a turn of pi/4.
struct Ratio {
  Vector numerator, denominator;
  Bits steep, turned;
};

inline Ratio ratio_of(Vector y, Vector x) {
  const Vector ay = magnitude(y), ax = magnitude(x);
  const Bits steep = ay > ax;
  const Vector large = choose(steep, ay, ax), small = choose(steep, ax, ay);
  const Bits turned = small > 0.41421356237309503 * large;
  return {choose(turned, small - large, small), choose(turned, small + large, large), steep, turned};
}

// A polynomial in the square of the quotient t; the coefficients interpolate at Chebyshev nodes, error 7e-18.
inline Vector angle_from(const Ratio& ratio, Vector t, Vector y, Vector x) {
  const Vector z = t * t, zz = z * z, z4 = zz * zz;
  const Vector p01 = 0x1.9999999999344p-3 * z - 0x1.5555555555555p-2;
  const Vector p23 = 0x1.c71c7185006ddp-4 * z - 0x1.2492492435beep-3;
  const Vector p45 = 0x1.3b1262253e208p-4 * z - 0x1.745d0b1ef71ecp-4;
  const Vector p67 = 0x1.dfe57271156bbp-5 * z - 0x1.10fa6b502376ep-4;
  const Vector p89 = 0x1.41560ea6668bfp-5 * z - 0x1.a095374ce56bbp-5;
  const Vector low = p01 + zz * p23, middle = p45 + zz * p67, high = p89 - 0x1.3a129c8a05421p-6 * zz;
  Vector angle = t + (t * z) * (low + z4 * (middle + z4 * high));
  angle += choose(ratio.turned, all(0.78539816339744828), all(0));
  angle = choose(ratio.steep, 1.5707963267948966 - angle, angle);
  angle = choose(x < all(0), 3.1415926535897931 - angle, angle);
  return reinterpret_cast<Vector>(reinterpret_cast<Bits>(angle) |
                                  (reinterpret_cast<Bits>(y) & reinterpret_cast<Bits>(all(-0.0))));
}

// atan2 within 5e-16; NaN for (0, 0) and where NaN goes in.
inline Vector angle_of(Vector y, Vector x) {
  const Ratio ratio = ratio_of(y, x);
  return angle_from(ratio, ratio.numerator / ratio.denominator, y, x);
}

// Two at the price of one division, each within 7e-16; NaN in one gives NaN in both.
inline void two_angles(Vector y0, Vector x0, Vector y1, Vector x1, Vector& angle0, Vector& angle1) {
  const Ratio a = ratio_of(y0, x0), b = ratio_of(y1, x1);
  const Vector inverse = 1 / (a.denominator * b.denominator);
  angle0 = angle_from(a, a.numerator * b.denominator * inverse, y0, x0);
  angle1 = angle_from(b, b.numerator * a.denominator * inverse, y1, x1);
}

// Into [-pi, pi].
inline Vector wrapped(Vector angle) {
  constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52
  const Vector turns = (angle * 0.15915494309189535 + rounding) - rounding;
  return angle - turns * 6.2831853071795862;
}

// Half a turn on, within [-pi, pi].
inline Vector opposite(Vector angle) {
  return angle - choose(angle > all(0), all(3.1415926535897931), all(-3.1415926535897931));
}

}  // namespace
