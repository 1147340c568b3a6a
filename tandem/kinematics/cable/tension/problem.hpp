// SPDX-License-Identifier: Apache-2.0
// The tension problem in plain arrays, moments divided by a length so that they compare with forces, and the space of
// its solutions. The steps in their order are described in tension.cpp.
#pragma once

namespace tandem::cables::tension {

// Two doubles: what every x86-64 and ARMv8 has in a register. The sums below are so short that wider ones gain little.
typedef double Two __attribute__((vector_size(16)));

// Room is 8 or 16; entries of cables that do not exist are zero.
template <int Room>
struct Problem {
  int cables;
  alignas(16) double rows[6][Room];  // what a tension of 1 N exerts, cable by cable
  double wanted[6];                  // what all must exert together, N
  alignas(16) double least[Room];    // N
  alignas(16) double most[Room];     // N
  double tension_noise;              // N: a bound broken by less is not broken
  double wrench_noise;               // N: two wrenches nearer than this are one
};

// All solutions: particular + any combination of the basis.
template <int Room>
struct Space {
  int rank;                              // of the rows, 0 to 6
  int freedom;                           // cables - rank
  bool in_range;                         // false: no tensions at all exert the wrench, whatever the ranges
  double compliance;                     // at most so many N of tensions for 1 N of wrench; infinite: not known
  alignas(16) double particular[Room];   // the solution of least norm, N
  alignas(16) double basis[Room][Room];  // the first `freedom` of them; orthonormal
};

inline Two two_at(const double* from) {
  Two value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

// Eight at a time, written out, as -O2 does not unroll.
template <int Room>
inline double dot(const double* a, const double* b) {
  Two sum{};
  for (int i = 0; i < Room; i += 8) {
    const Two front = two_at(a + i) * two_at(b + i) + two_at(a + i + 2) * two_at(b + i + 2);
    const Two back = two_at(a + i + 4) * two_at(b + i + 4) + two_at(a + i + 6) * two_at(b + i + 6);
    sum = i == 0 ? front + back : sum + (front + back);
  }
  return sum[0] + sum[1];
}

// to += factor * from
template <int Room>
inline void add(double* to, double factor, const double* from) {
  for (int i = 0; i < Room; i += 8) {
    const Two x[4] = {two_at(to + i) + factor * two_at(from + i), two_at(to + i + 2) + factor * two_at(from + i + 2),
                      two_at(to + i + 4) + factor * two_at(from + i + 4),
                      two_at(to + i + 6) + factor * two_at(from + i + 6)};
    __builtin_memcpy(to + i, x, sizeof x);
  }
}

// What is missing: wanted - rows * tensions.
template <int Room>
inline void shortfall(const Problem<Room>& problem, const double* tensions, double (&missing)[6]) {
  for (int r = 0; r < 6; ++r) missing[r] = problem.wanted[r] - dot<Room>(problem.rows[r], tensions);
}

inline double norm_of(const double (&wrench)[6]) {
  double sum = 0;
  for (const double x : wrench) sum += x * x;
  return __builtin_sqrt(sum);
}

template <int Room>
void solve_space(const Problem<Room>& problem, Space<Room>& space);

// The solution within the ranges that is nearest to `start` (a solution, perhaps outside), for any freedom: a dual
// active set. False when there is none, or when rounding keeps it from being found.
template <int Room>
bool nearest_by_active_set(const Problem<Room>& problem, const Space<Room>& space, const double* start,
                           double* tensions);

// From a solution within the ranges to their analytic centre; cables that have no choice keep their tension. Where the
// ranges leave no inside, nothing changes.
template <int Room>
void go_to_centre(const Problem<Room>& problem, const Space<Room>& space, double* tensions);

// Tensions within the ranges whose wrench comes nearest to the wanted one, and by how much every range had to be wider
// for the wrench itself.
template <int Room>
struct Approach {
  alignas(16) double tensions[Room];
  double missing[6];  // N
  double distance;    // N: the norm of it
  double widening;    // N, infinite when no tensions would do; 0 when nothing is missing
  int cable;          // whose bound keeps us from coming nearer, most of all; -1 when none does
  bool at_most;       // the upper one
};
template <int Room>
void come_near(const Problem<Room>& problem, const double* start, Approach<Room>& approach);

}  // namespace tandem::cables::tension
