// SPDX-License-Identifier: Apache-2.0
// The inner loops of the cable robot, one set per instruction set, chosen once at run time.
// Plain arrays and pointers only: a source built for AVX must not share inline functions with one that is not.
#pragma once

#include <cstddef>

namespace tandem::cables::kernel {

// One cable, in world axes: where it leaves the frame, and where it holds the platform seen from the platform's origin,
// turned with the platform.
struct Ends {
  double frame[3];
  double turned[3];
};

// What eight cables must hold and how tight they may be.
struct Task {
  Ends cables[8];
  double per_length;    // 1/m: moments times this are comparable with forces
  const double* outer;  // six numbers for each wrench: force, moment; N, N m
  int wrenches;         // one or more
  double middle, half;  // of the range of tensions, N
};

struct Kernels {
  const char* name;
  int lanes;  // doubles in a vector
  // lengths[cable][count] for positions x, y, z [count] of the platform.
  void (*lengths)(const Ends* cables, int cable_count, const double* const* position, std::size_t count,
                  double* const* lengths);
  // For each position the largest distance that all tensions can keep from both ends of their range at once, over all
  // ways to hold the worst of the wrenches, N; negative where there is none within the range. NaN where it is not
  // certain (the layout is near a singularity, or two cables almost copy each other): ask the solver for any robot.
  void (*margins)(const Task& task, const double* const* position, std::size_t count, double* margins);
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

}  // namespace tandem::cables::kernel
