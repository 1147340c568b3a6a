// SPDX-License-Identifier: Apache-2.0
// Two ways to the null space. Eight cables at a pose that is not nearly singular, as a controller asks for them: rows
// made orthogonal one after the other without a square root (modified Gram-Schmidt); what they leave of two unit
// vectors is the null space. All others: Householder reflections, twice as long; what they turn into the first axes are
// the rows, what they turn into the others is the null space. Normal equations would square the conditioning.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tandem/kinematics/cable/tension/problem.hpp"

namespace tandem::cables::tension {
namespace {

constexpr double weak_row = 1e-8;  // what is left of a row, over the largest: look closer below it
constexpr double no_row = 1e-11;   // it depends on the others

constexpr double steep_row = 1e-6;  // squared: what orthogonal rows must be of the row that was

// A row in registers.
struct Eight {
  Two a, b, c, d;
};
inline Eight eight_at(const double* from) {
  return {two_at(from), two_at(from + 2), two_at(from + 4), two_at(from + 6)};
}
inline void store(double* to, const Eight& x) { __builtin_memcpy(to, &x, sizeof x); }
inline Eight times(double factor, const Eight& x) { return {factor * x.a, factor * x.b, factor * x.c, factor * x.d}; }
inline Eight times(const Eight& x, const Eight& y) { return {x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d}; }
inline Eight minus(const Eight& x, const Eight& y) { return {x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d}; }
inline double sum_of(const Eight& x) {
  const Two sum = (x.a + x.b) + (x.c + x.d);
  return sum[0] + sum[1];
}

int largest_of(const Eight& eight) {
  double values[8];
  __builtin_memcpy(values, &eight, sizeof values);
  int best = 0;
  double most = values[0];
  for (int i = 1; i < 8; ++i) {
    best = values[i] > most ? i : best;
    most = values[i] > most ? values[i] : most;
  }
  return best;
}

alignas(16) constexpr double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
alignas(16) constexpr double shifted_one[15] = {0, 0, 0, 0, 0, 0, 0, 1};  // from 7 - i on: the unit vector i

struct OrthogonalRows {
  alignas(16) double row[6][8];
  double rest[6];     // what each must exert
  double inverse[6];  // of its squared length
  double growth = 1;  // at most the largest row sum of the matrix that made these rows of the given ones

  // False near singularities, where rounding would grow.
  bool from(const Problem<8>& problem) {
    double largest = 0;
    for (int r = 0; r < 6; ++r) {
      const Eight whole = eight_at(problem.rows[r]);
      store(row[r], whole);
      rest[r] = problem.wanted[r];
      inverse[r] = sum_of(times(whole, whole));
      largest = std::max(largest, inverse[r]);
    }
    for (int k = 0; k < 6; ++k) {
      const Eight own = eight_at(row[k]);
      const double square = sum_of(times(own, own));
      if (!(square > steep_row * inverse[k] && square > steep_row * steep_row * largest)) return false;
      inverse[k] = 1 / square;
      double most = 0;
      for (int j = k + 1; j < 6; ++j) {
        const Eight other = eight_at(row[j]);
        const double part = sum_of(times(own, other)) * inverse[k];
        most = std::max(most, std::abs(part));
        store(row[j], minus(other, times(part, own)));
        rest[j] -= part * rest[k];
      }
      growth *= 1 + most;
    }
    return true;
  }

  // That matrix is a product of steps, each of which took multiples of one row from those below: their norms multiply.
  // Its second norm is the root of 6 larger at most.
  double compliance() const { return std::sqrt(6 * *std::max_element(inverse, inverse + 6)) * growth; }

  // What the rows leave of a unit vector.
  Eight left_of(int unit) const {
    Eight left = eight_at(shifted_one + 7 - unit);
    for (int k = 0; k < 6; ++k) left = minus(left, times(row[k][unit] * inverse[k], eight_at(row[k])));
    return left;
  }
};

bool orthogonalise(const Problem<8>& problem, Space<8>& space) {
  OrthogonalRows rows;
  if (!rows.from(problem)) return false;
  // How much of each unit vector is in the null space: two in all, so one has a quarter at least, and of what is left
  // when it is taken out one has a seventh.
  Eight share = eight_at(ones), against{};
  for (int k = 0; k < 6; ++k) {
    const Eight own = eight_at(rows.row[k]);
    against = minus(against, times(rows.rest[k] * rows.inverse[k], own));
    share = minus(share, times(rows.inverse[k], times(own, own)));
  }
  store(space.particular, times(-1, against));
  const Eight first = rows.left_of(largest_of(share));
  const double first_square = sum_of(times(first, first));
  share = minus(share, times(1 / first_square, times(first, first)));
  const Eight unit = rows.left_of(largest_of(share));
  const Eight second = minus(unit, times(sum_of(times(unit, first)) / first_square, first));
  store(space.basis[0], times(1 / std::sqrt(first_square), first));
  store(space.basis[1], times(1 / std::sqrt(sum_of(times(second, second))), second));
  space.rank = 6;
  space.freedom = 2;
  space.in_range = true;
  space.compliance = rows.compliance();
  return true;
}

template <int Room>
struct Reflections {
  alignas(16) double v[6][Room];
  double beta[6];  // I - beta v v' mirrors
};

template <int Room>
void spread(const Reflections<Room>& all, int rank, double* x) {
  for (int k = rank - 1; k >= 0; --k) add<Room>(x, -all.beta[k] * dot<Room>(all.v[k], x), all.v[k]);
}

// Brings the row with most left to place k.
template <int Room>
void bring_strongest(Reflections<Room>& all, double (&rest)[6], int k) {
  int best = k;
  double largest = -1;
  for (int j = k; j < 6; ++j) {
    const double left = dot<Room>(all.v[j], all.v[j]);
    if (left > largest) largest = left, best = j;
  }
  if (best == k) return;
  std::swap_ranges(all.v[k], all.v[k] + Room, all.v[best]);
  std::swap(rest[k], rest[best]);
}

// False when, without pivoting, a row nearly depends on those before it.
template <int Room, bool pivoting>
bool reflect(const Problem<Room>& problem, Space<Room>& space) {
  Reflections<Room> all;
  double rest[6], largest = 0;
  alignas(16) double x[Room] = {};
  for (int r = 0; r < 6; ++r) {
    std::copy_n(problem.rows[r], Room, all.v[r]);
    rest[r] = problem.wanted[r];
  }
  int rank = 0;
  for (int k = 0; k < 6; ++k) {
    if constexpr (pivoting) bring_strongest(all, rest, k);
    double* const v = all.v[k];
    const double norm = std::sqrt(dot<Room>(v, v));
    largest = std::max(largest, norm);
    if (!(norm > (pivoting ? no_row : weak_row) * largest)) {
      if constexpr (pivoting) break;
      return false;
    }
    const double head = v[k], turned = -std::copysign(norm, head);
    v[k] = head - turned;
    all.beta[k] = 1 / (norm * (norm + std::abs(head)));
    x[k] = rest[k] / turned;  // forward substitution goes along
    for (int j = k + 1; j < 6; ++j) {
      double* const other = all.v[j];
      add<Room>(other, -all.beta[k] * dot<Room>(v, other), v);
      rest[j] -= other[k] * x[k];
      other[k] = 0;
    }
    rank = k + 1;
  }
  space.rank = rank;
  space.freedom = problem.cables - rank;
  space.compliance = std::numeric_limits<double>::infinity();
  space.in_range = true;
  for (int r = rank; r < 6; ++r) space.in_range = space.in_range && std::abs(rest[r]) <= problem.wrench_noise;
  std::copy_n(x, Room, space.particular);
  spread(all, rank, space.particular);
  for (int c = 0; c < space.freedom; ++c) {
    std::fill_n(space.basis[c], Room, 0.0);
    space.basis[c][rank + c] = 1;
    spread(all, rank, space.basis[c]);
  }
  return true;
}

}  // namespace

template <int Room>
void solve_space(const Problem<Room>& problem, Space<Room>& space) {
  if constexpr (Room == 8) {
    if (problem.cables == 8 && orthogonalise(problem, space)) return;
  }
  if (!reflect<Room, false>(problem, space)) reflect<Room, true>(problem, space);
}

template void solve_space(const Problem<8>&, Space<8>&);
template void solve_space(const Problem<16>&, Space<16>&);

}  // namespace tandem::cables::tension
