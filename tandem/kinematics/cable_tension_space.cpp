// Householder reflections of the rows, one after the other: what they turn into the first axes are the rows, what they
// turn into the others is the null space. Backward stable, where normal equations would square the conditioning.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/kinematics/cable_tension_problem.hpp"

namespace tandem::cables::tension {
namespace {

constexpr double weak_row = 1e-8;  // what is left of a row, over the largest: look closer below it
constexpr double no_row = 1e-11;   // it depends on the others

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
  if (!reflect<Room, false>(problem, space)) reflect<Room, true>(problem, space);
}

template void solve_space(const Problem<8>&, Space<8>&);
template void solve_space(const Problem<16>&, Space<16>&);

}  // namespace tandem::cables::tension
