// SPDX-License-Identifier: Apache-2.0
// The inner loops of the Stewart platform, one set per instruction set, chosen once at run time.
// Plain arrays and pointers only: a source built for AVX must not share inline functions with one that is not.
#pragma once

#include <cstddef>

namespace tandem::stewart::kernel {

// Joints of the legs by component, the first two repeated to make eight.
struct Legs {
  alignas(64) double ax[8], ay[8], az[8];  // on the base, base frame, m
  alignas(64) double bx[8], by[8], bz[8];  // on the top, top frame, m
  int leg[8];                              // which leg is here, from 0
  double tolerance;                        // of the squared lengths, m^2
  bool flat;                               // every bz is zero
  double determinant;                      // of home's Jacobian with its rows in this order
};

// Position and attitude as an unnormalised quaternion, so that a step needs no root.
struct State {
  double x, y, z;
  double qw, qx, qy, qz;
};

struct Ending {
  int iterations;
  bool converged;
  double determinant;  // of the matrix whose rows are (d, Rb x d), in the order of the legs given
};

struct Kernels {
  const char* name;
  int lanes;  // doubles in a vector
  // pose: x y z roll pitch yaw.
  void (*lengths_one)(const Legs& legs, const double* pose, bool zyx, double* lengths);
  Ending (*pose_one)(const Legs& legs, const double* lengths, State& state, int iterations);
  // pose[6][count] -> lengths[6][count]
  void (*lengths_many)(const Legs& legs, const double* const* pose, bool zyx, std::size_t count,
                       double* const* lengths);
  // lengths[6][count] and a start in pose[6][count] -> pose, Newton steps that were enough for all of a vector (or -1)
  // and determinant, each [count].
  void (*pose_many)(const Legs& legs, const double* const* lengths, bool zyx, std::size_t count, double* const* pose,
                    int* iterations, double* determinant, int limit);
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

// Beyond this angle (rad) the vector sine loses digits; leg lengths then go through the C library.
inline constexpr double largest_angle = 1e5;
void lengths_of_large_angles(const Legs& legs, const double* pose, bool zyx, double* lengths);

}  // namespace tandem::stewart::kernel
