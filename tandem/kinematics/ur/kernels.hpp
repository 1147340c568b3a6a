// SPDX-License-Identifier: Apache-2.0
// The inner loops of the arms' kinematics, one set per instruction set, chosen once at run time.
// Plain arrays and pointers only: a source built for AVX must not share inline functions with one that is not.
#pragma once

#include <cstddef>

namespace tandem::kinematics::ur::kernel {

struct Numbers {
  double a2, a3, d1, d4, d5, d6;  // m
  double position, orientation;   // tolerances of the check, m and rad
  double shoulder_rounding;       // m^2, as in closed_form.hpp
  double bent_sine;               // as there
};

// What is singular in a pose.
inline constexpr unsigned elbow_is_singular = 1u << 8;  // both elbows of a solution are one
inline constexpr unsigned is_singular = 1u << 9;        // the scalar closed form has the answer

struct Kernels {
  const char* name;
  int lanes;  // doubles in a vector
  // pose[7][count] (x y z qw qx qy qz) -> q[solution * 6 + joint][count], NaN where there is none; bit k of found[i]
  // says whether solution k of pose i is there. Where singular[i] is not zero, the wrist is nearly straight or over
  // the axis of joint 1, and the scalar closed form has the answer.
  void (*all_many)(const Numbers& numbers, const double* const* pose, std::size_t count, double* const* q,
                   unsigned char* found, unsigned char* singular);
  // One pose, a matrix of 4 x 4 column by column -> q[solution][joint], of which there is room for eight. Returns how
  // many there are; `singular` gets the bits above.
  int (*all_one)(const Numbers& numbers, const double* pose, double* q, unsigned* singular);
  // The pose of the flange, such a matrix, for six angles within +-3e4 rad.
  void (*flange)(const Numbers& numbers, const double* q, double* pose);
};

extern const Kernels baseline;
#if defined(__x86_64__)
extern const Kernels avx2;
extern const Kernels avx512;
#endif

// Those that this processor can run, the widest last; ends with null.
const Kernels* const* available();
// The widest of them.
const Kernels& best();

}  // namespace tandem::kinematics::ur::kernel
