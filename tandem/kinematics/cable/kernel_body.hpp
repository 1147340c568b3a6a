// SPDX-License-Identifier: Apache-2.0
// The loops behind kernel::Kernels of the cable robot, for any number of lanes; see lanes.hpp for how to include it.
//
// Eight cables leave two degrees of freedom: tensions = q + x n1 + y n2. "All within r of the middle" is eight strips
// in the plane of (x, y), and by Helly's theorem eight strips have a common point if every three of them have. For
// three strips the least r has a closed form, so the least r of all is the largest of 56 fractions: exact, without
// branches.
#pragma once

#include "tandem/kinematics/cable/kernels.hpp"
#include "tandem/kinematics/lanes.hpp"

namespace tandem::cables::kernel {
namespace {

// Two rows of the null space that are parallel to within this are so by rounding; between this and the next it is not
// certain, and with a pivot below the third neither.
constexpr double surely_parallel = 1e-12;
constexpr double almost_parallel = 1e-5;
constexpr double least_pivot = 1e-4;

// Householder's reflections that make the transposed structure (8 x 6) triangular.
struct Reflections {
  Vector column[6][8];  // from row k on the reflection's vector, above it R
  Vector diagonal[6];   // of R
  Vector beta[6];
};

inline void structure_rows(const Task& task, Vector x, Vector y, Vector z, Reflections& a) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    const Ends& c = task.cables[i];
    const double bx = c.turned[0], by = c.turned[1], bz = c.turned[2];
    const Vector dx = (c.frame[0] - bx) - x, dy = (c.frame[1] - by) - y, dz = (c.frame[2] - bz) - z;
    const Vector inverse = 1.0 / square_root(dx * dx + dy * dy + dz * dz);
    const Vector ux = dx * inverse, uy = dy * inverse, uz = dz * inverse;
    a.column[0][i] = ux;
    a.column[1][i] = uy;
    a.column[2][i] = uz;
    a.column[3][i] = (by * uz - bz * uy) * task.per_length;
    a.column[4][i] = (bz * ux - bx * uz) * task.per_length;
    a.column[5][i] = (bx * uy - by * ux) * task.per_length;
  }
}

inline void reflect(const Reflections& a, int k, Vector* v) {
  Vector sum = a.column[k][k] * v[k];
#pragma GCC unroll 8
  for (int i = k + 1; i < 8; ++i) sum += a.column[k][i] * v[i];
  sum *= a.beta[k];
#pragma GCC unroll 8
  for (int i = k; i < 8; ++i) v[i] -= sum * a.column[k][i];
}

// Gives the smallest magnitude on the diagonal of R.
inline Vector make_triangular(Reflections& a) {
  Vector least = all(1e300);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const Vector first = a.column[k][k];
    Vector square = first * first;
#pragma GCC unroll 8
    for (int i = k + 1; i < 8; ++i) square += a.column[k][i] * a.column[k][i];
    const Vector norm = square_root(square), size = magnitude(first);
    a.diagonal[k] = select(first > 0, -norm, norm);
    a.column[k][k] = first - a.diagonal[k];
    a.beta[k] = 1.0 / (square + size * norm);
    least = select(norm >= least, least, norm);  // NaN stays
#pragma GCC unroll 6
    for (int j = k + 1; j < 6; ++j) reflect(a, k, a.column[j]);
  }
  return least;
}

inline void reflect_back(const Reflections& a, Vector* v) {
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) reflect(a, k, v);
}

// Of all tensions that hold this wrench the shortest vector, less the middle of the range.
inline void tensions_from_middle(const Reflections& a, const Task& task, const double* outer, Vector* q) {
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    Vector right = all(-outer[k] * (k < 3 ? 1 : task.per_length));
#pragma GCC unroll 6
    for (int j = 0; j < k; ++j) right -= a.column[k][j] * q[j];
    q[k] = right / a.diagonal[k];
  }
  q[6] = q[7] = all(0);
  reflect_back(a, q);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) q[i] -= task.middle;
}

constexpr int pair_at(int i, int j) { return i * (15 - i) / 2 + (j - i - 1); }  // of i < j, 0 to 27

// Cross products of the rows of the null space, with zero for what is parallel. Lanes that are not certain are marked.
inline void pairs_of(const Reflections& a, Vector* cross, Bits& doubt) {
  Vector n1[8], n2[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) n1[i] = all(i == 6 ? 1 : 0), n2[i] = all(i == 7 ? 1 : 0);
  reflect_back(a, n1);
  reflect_back(a, n2);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
#pragma GCC unroll 8
    for (int j = i + 1; j < 8; ++j) {
      const Vector c = n1[i] * n2[j] - n1[j] * n2[i], size = magnitude(c);
      const Bits zero = size < surely_parallel;
      doubt |= (size < almost_parallel) & ~zero;
      cross[pair_at(i, j)] = select(zero, all(0), c);
    }
  }
}

// The least r for the three strips i < j < k is |numerator| / denominator; the larger fraction stays.
inline void three_strips(const Vector* cross, const Vector* q, int i, int j, int k, Vector& over, Vector& under) {
  const Vector jk = cross[pair_at(j, k)], ik = cross[pair_at(i, k)], ij = cross[pair_at(i, j)];
  const Vector numerator = magnitude(q[i] * jk - q[j] * ik + q[k] * ij);
  const Vector denominator = magnitude(jk) + magnitude(ik) + magnitude(ij);
  const Bits more = numerator * under > over * denominator;
  over = select(more, numerator, over);
  under = select(more, denominator, under);
}

inline Vector least_radius(const Vector* cross, const Vector* q) {
  Vector over = all(0), under = all(1);
#pragma GCC unroll 8
  for (int i = 0; i < 6; ++i) {
#pragma GCC unroll 8
    for (int j = i + 1; j < 7; ++j) {
#pragma GCC unroll 8
      for (int k = j + 1; k < 8; ++k) three_strips(cross, q, i, j, k, over, under);
    }
  }
  return over / under;
}

inline Vector margin_at(const Task& task, Vector x, Vector y, Vector z) {
  Reflections a;
  structure_rows(task, x, y, z, a);
  const Vector least = make_triangular(a);
  Bits doubt = ~(least > least_pivot);
  Vector cross[28];
  pairs_of(a, cross, doubt);
  Vector radius = all(0);
  for (int w = 0; w < task.wrenches; ++w) {
    Vector q[8];
    tensions_from_middle(a, task, task.outer + 6 * w, q);
    radius = larger(least_radius(cross, q), radius);
  }
  const Vector margin = task.half - radius;
  return select(doubt, all(__builtin_nan("")), margin);
}

void cable_margins(const Task& task, const double* const* position, std::size_t count, double* margins) {
  const std::size_t whole = count - count % lanes;
  for (std::size_t i = 0; i < whole; i += lanes)
    store(margins + i, margin_at(task, load(position[0] + i), load(position[1] + i), load(position[2] + i)));
  if (whole == count) return;
#if defined(__AVX512F__)
  // Half a vector or less, as that of a single pose, is faster on the next narrower ones.
  if (2 * (count - whole) <= lanes) {
    const double* const rest[] = {position[0] + whole, position[1] + whole, position[2] + whole};
    return avx2.margins(task, rest, count - whole, margins + whole);
  }
#endif
  Vector x = all(position[0][whole]), y = all(position[1][whole]), z = all(position[2][whole]);
  for (std::size_t i = whole + 1; i < count; ++i) {
    x[i - whole] = position[0][i];
    y[i - whole] = position[1][i];
    z[i - whole] = position[2][i];
  }
  const Vector margin = margin_at(task, x, y, z);
  for (std::size_t i = whole; i < count; ++i) margins[i] = margin[i - whole];
}

// Blocks of positions stay in the nearest cache while all cables pass over them.
void cable_lengths(const Ends* cables, int cable_count, const double* const* position, std::size_t count,
                   double* const* lengths) {
  constexpr std::size_t block = 512;
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t end = first + block < count ? first + block : count;
    for (int c = 0; c < cable_count; ++c) {
      const double ax = cables[c].frame[0] - cables[c].turned[0];
      const double ay = cables[c].frame[1] - cables[c].turned[1];
      const double az = cables[c].frame[2] - cables[c].turned[2];
      std::size_t i = first;
      for (; i + lanes <= end; i += lanes) {
        const Vector x = ax - load(position[0] + i), y = ay - load(position[1] + i), z = az - load(position[2] + i);
        store(lengths[c] + i, square_root(x * x + y * y + z * z));
      }
      for (; i < end; ++i) {
        const double x = ax - position[0][i], y = ay - position[1][i], z = az - position[2][i];
        lengths[c][i] = __builtin_sqrt(x * x + y * y + z * z);
      }
    }
  }
}

}  // namespace
}  // namespace tandem::cables::kernel
