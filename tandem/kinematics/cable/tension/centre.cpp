// SPDX-License-Identifier: Apache-2.0
// The analytic centre: of all tensions within the ranges those whose distances to both bounds have the largest product.
// The sum of -log of the distances is self-concordant: a Newton step shortened by 1 / (1 + decrement) never leaves the
// ranges, and once the decrement is small the full step squares it. No line search, and few steps.
#include <algorithm>
#include <cmath>

#include "tandem/kinematics/cable/tension/polygon.hpp"
#include "tandem/kinematics/cable/tension/problem.hpp"

namespace tandem::cables::tension {
namespace {

constexpr int steps_limit = 60;       // 5 to 8 are usual
constexpr double converged = 1e-10;   // decrement; what is left is its square
constexpr double well_inside = 0.05;  // of half a range: near enough to the centre to start from
constexpr int narrowings_limit = 24;
constexpr double same_direction = 1e-9;  // what is left of a direction that depends on others

template <int Room>
bool is_pinned(const Problem<Room>& problem, int i) {
  return !(problem.most[i] - problem.least[i] > 2 * problem.tension_noise);
}

// The least distance of a cable to a bound, over half its range.
template <int Room>
double depth(const Problem<Room>& problem, const double* tensions) {
  double least = 1;
  for (int i = 0; i < problem.cables; ++i) {
    if (is_pinned(problem, i)) continue;
    const double room = std::min(tensions[i] - problem.least[i], problem.most[i] - tensions[i]);
    least = std::min(least, 2 * room / (problem.most[i] - problem.least[i]));
  }
  return least;
}

// Takes what lies along the first `count` rows out of a row, and makes its length 1. False when nothing is left.
template <int Room>
bool make_fresh(const double (&rows)[Room][Room], int count, double* row) {
  const double whole = std::sqrt(dot<Room>(row, row));
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) add<Room>(row, -dot<Room>(rows[k], row), rows[k]);
  const double left = std::sqrt(dot<Room>(row, row));
  if (!(left > same_direction * std::max(whole, same_direction))) return false;
  for (int k = 0; k < Room; ++k) row[k] /= left;
  return true;
}

// What is left of the basis when cables that have no choice keep their tension.
template <int Room>
void keep_pinned(const Problem<Room>& problem, Space<Room>& space) {
  alignas(16) double axes[Room][Room];  // in coordinates of the basis: those that pinned cables forbid, then the others
  int count = 0;
  for (int i = 0; i < problem.cables && count < space.freedom; ++i) {
    if (!is_pinned(problem, i)) continue;
    for (int k = 0; k < Room; ++k) axes[count][k] = k < space.freedom ? space.basis[k][i] : 0;
    if (make_fresh(axes, count, axes[count])) ++count;
  }
  if (count == 0) return;
  const Space<Room> whole = space;
  space.freedom = 0;
  for (int unit = 0; unit < whole.freedom && count < whole.freedom; ++unit) {
    for (int k = 0; k < Room; ++k) axes[count][k] = k == unit ? 1 : 0;
    if (!make_fresh(axes, count, axes[count])) continue;
    double* const to = space.basis[space.freedom++];
    std::fill_n(to, Room, 0.0);
    for (int k = 0; k < whole.freedom; ++k) add<Room>(to, axes[count][k], whole.basis[k]);
    ++count;
  }
}

// Ranges narrowed until just about none is left: the nearest solution within those is inside of the whole ones.
template <int Room>
bool go_inside_narrowed(const Problem<Room>& problem, const Space<Room>& space, double* tensions) {
  Problem<Room> narrow = problem;
  alignas(16) double found[Room];
  double share = 0.25;
  for (int n = 0; n < narrowings_limit; ++n, share /= 2) {
    for (int i = 0; i < problem.cables; ++i) {
      const double less = is_pinned(problem, i) ? 0 : share * (problem.most[i] - problem.least[i]);
      narrow.least[i] = problem.least[i] + less;
      narrow.most[i] = problem.most[i] - less;
    }
    if (!nearest_by_active_set(narrow, space, tensions, found) || !(depth(problem, found) > share)) continue;
    std::copy_n(found, Room, tensions);
    return true;
  }
  return false;
}

// From a solution within the ranges to one that is inside of them. False where there is no inside.
template <int Room>
bool go_inside(const Problem<Room>& problem, const Space<Room>& space, double* tensions) {
  if (depth(problem, tensions) > well_inside) return true;
  if (space.freedom > 2) return go_inside_narrowed(problem, space, tensions);
  const Strips strips{problem.cables, space.basis[0], space.basis[space.freedom - 1], tensions,
                      problem.least,  problem.most,   problem.tension_noise};
  Point point{0, 0};
  double from, to;
  if (space.freedom == 2 ? !centre_of_area(strips, point) : !interval(strips, from, to)) return false;
  add<Room>(tensions, space.freedom == 2 ? point.u : 0.5 * (from + to), space.basis[0]);
  if (space.freedom == 2) add<Room>(tensions, point.v, space.basis[1]);
  return depth(problem, tensions) > 1e-9;
}

// Cholesky in place; the matrix is that of a sum of squares.
template <int Room>
void solve_positive(double (&h)[Room][Room], int size, double* x) {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k) h[i][j] -= h[i][k] * h[j][k];
      h[i][j] /= h[j][j];
      h[i][i] -= h[i][j] * h[i][j];
      x[i] -= h[i][j] * x[j];
    }
    h[i][i] = std::sqrt(h[i][i]);
    x[i] /= h[i][i];
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int k = i + 1; k < size; ++k) x[i] -= h[k][i] * x[k];
    x[i] /= h[i][i];
  }
}

// One Newton step; gives the decrement before it.
template <int Room>
double step(const Problem<Room>& problem, const Space<Room>& space, double* tensions) {
  alignas(16) double slope[Room] = {}, curvature[Room] = {}, bent[Room];
  double downhill[Room], way[Room], h[Room][Room];
  for (int i = 0; i < problem.cables; ++i) {
    if (is_pinned(problem, i)) continue;
    const double below = 1 / (tensions[i] - problem.least[i]), above = 1 / (problem.most[i] - tensions[i]);
    slope[i] = below - above;
    curvature[i] = below * below + above * above;
  }
  for (int k = 0; k < space.freedom; ++k) {
    downhill[k] = way[k] = dot<Room>(space.basis[k], slope);
    for (int i = 0; i < Room; ++i) bent[i] = space.basis[k][i] * curvature[i];
    for (int j = 0; j <= k; ++j) h[k][j] = dot<Room>(space.basis[j], bent);
  }
  solve_positive(h, space.freedom, way);
  double square = 0;
  for (int k = 0; k < space.freedom; ++k) square += downhill[k] * way[k];
  const double decrement = std::sqrt(std::max(0.0, square)), part = decrement > 0.25 ? 1 / (1 + decrement) : 1;
  for (int k = 0; k < space.freedom; ++k) add<Room>(tensions, part * way[k], space.basis[k]);
  return decrement;
}

}  // namespace

template <int Room>
void go_to_centre(const Problem<Room>& problem, const Space<Room>& space, double* tensions) {
  Space<Room> free = space;
  keep_pinned(problem, free);
  alignas(16) double inside[Room];
  std::copy_n(tensions, Room, inside);
  if (free.freedom == 0 || !go_inside(problem, free, inside)) return;
  for (int n = 0; n < steps_limit; ++n)
    if (!(step(problem, free, inside) > converged)) break;
  if (depth(problem, inside) > 0) std::copy_n(inside, Room, tensions);  // false for NaN
}

template void go_to_centre(const Problem<8>&, const Space<8>&, double*);
template void go_to_centre(const Problem<16>&, const Space<16>&, double*);

}  // namespace tandem::cables::tension
