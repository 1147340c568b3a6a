// SPDX-License-Identifier: Apache-2.0
// The dual active set of Goldfarb and Idnani for the shortest step z within the basis: start at none, add the bound
// that is broken most, let go of bounds that would have to push the wrong way. The step's length grows with every bound
// added, so no set of bounds comes twice and the search ends; a set has independent bounds only, which also shows when
// there is no solution.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/tension/problem.hpp"

namespace tandem::cables::tension {
namespace {

constexpr int changes_limit = 400;   // of the set; 3 times the cables is usual
constexpr double dependent = 1e-20;  // squared length of what is new in a bound's direction
constexpr double infinite = std::numeric_limits<double>::infinity();

template <int Room>
class ActiveSet {
 public:
  ActiveSet(const Problem<Room>& problem, const Space<Room>& space, const double* start)
      : problem_(problem), start_(start), size_(space.freedom) {
    for (int i = 0; i < problem.cables; ++i) {
      for (int k = 0; k < Room; ++k) direction_[i][k] = k < size_ ? space.basis[k][i] : 0;
      held_[i] = false;
    }
    std::fill_n(z_, Room, 0.0);
  }

  bool search() {
    int changes = 0;
    while (changes < changes_limit) {
      const int i = most_broken();
      if (i < 0) {
        finish();
        return true;
      }
      if (!add_bound(i, changes)) return false;
    }
    return false;
  }

  void tensions(double* out) const {
    for (int i = 0; i < problem_.cables; ++i) out[i] = tension(i);
    for (int i = problem_.cables; i < Room; ++i) out[i] = 0;
    for (int a = 0; a < count_; ++a) out[cable_[a]] = bound(cable_[a], side_[a]);
  }

 private:
  double tension(int i) const { return start_[i] + dot<Room>(direction_[i], z_); }
  double bound(int i, double side) const { return side > 0 ? problem_.least[i] : problem_.most[i]; }

  int most_broken() {
    int worst = -1;
    double most = problem_.tension_noise;
    for (int i = 0; i < problem_.cables; ++i) {
      if (held_[i]) continue;
      const double t = tension(i), below = problem_.least[i] - t, above = t - problem_.most[i];
      if (std::max(below, above) <= most) continue;
      most = std::max(below, above);
      worst = i;
      new_side_ = below > above ? 1 : -1;
    }
    return worst;
  }

  // What is new in the direction of a bound, and its parts along those held. Twice, so that it stays orthogonal.
  void project(const double* direction, double* fresh, double* parts) const {
    std::copy_n(direction, Room, fresh);
    std::fill_n(parts, count_, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (int a = 0; a < count_; ++a) {
        const double part = dot<Room>(q_[a], fresh);
        add<Room>(fresh, -part, q_[a]);
        parts[a] += part;
      }
    }
  }

  void append(int i, double side, double push, const double* fresh, const double* parts) {
    const double length = std::sqrt(dot<Room>(fresh, fresh));
    for (int k = 0; k < Room; ++k) q_[count_][k] = fresh[k] / length;
    for (int a = 0; a < count_; ++a) r_[a][count_] = parts[a];
    r_[count_][count_] = length;
    cable_[count_] = i;
    side_[count_] = side;
    push_[count_] = push;
    held_[i] = true;
    ++count_;
  }

  void let_go(int which) {
    held_[cable_[which]] = false;
    const int all = count_;
    count_ = which;
    for (int a = which + 1; a < all; ++a) {
      alignas(16) double direction[Room], fresh[Room];
      double parts[Room];
      const int i = cable_[a];
      for (int k = 0; k < Room; ++k) direction[k] = side_[a] * direction_[i][k];
      project(direction, fresh, parts);
      append(i, side_[a], push_[a], fresh, parts);
    }
  }

  // Moves until the bound holds, letting go of others on the way. False when nothing more can give way.
  bool add_bound(int i, int& changes) {
    const double side = new_side_;
    double push = 0;
    alignas(16) double direction[Room], fresh[Room];
    double parts[Room], rates[Room];
    for (int k = 0; k < Room; ++k) direction[k] = side * direction_[i][k];
    while (changes++ < changes_limit) {
      project(direction, fresh, parts);
      for (int a = count_ - 1; a >= 0; --a) {
        double sum = parts[a];
        for (int b = a + 1; b < count_; ++b) sum -= r_[a][b] * rates[b];
        rates[a] = sum / r_[a][a];
      }
      int weakest = -1;
      double until_weak = infinite;
      for (int a = 0; a < count_; ++a) {
        if (rates[a] <= 1e-14 || push_[a] >= until_weak * rates[a]) continue;
        until_weak = push_[a] / rates[a];
        weakest = a;
      }
      const double square = dot<Room>(fresh, fresh);
      const double lacking = side * (bound(i, side) - tension(i));
      const double until_held = square > dependent ? std::max(0.0, lacking) / square : infinite;
      const double move = std::min(until_weak, until_held);
      if (!(move < infinite)) return false;
      for (int a = 0; a < count_; ++a) push_[a] = std::max(0.0, push_[a] - move * rates[a]);
      push += move;
      if (square > dependent) add<Room>(z_, move, fresh);
      if (until_held <= until_weak) {
        append(i, side, push, fresh, parts);
        return true;
      }
      let_go(weakest);
    }
    return false;
  }

  // The step again from the bounds held: r' y = bounds, z = q y.
  void finish() {
    std::fill_n(z_, Room, 0.0);
    double y[Room];
    for (int a = 0; a < count_; ++a) {
      const int i = cable_[a];
      double sum = side_[a] * (bound(i, side_[a]) - start_[i]);
      for (int b = 0; b < a; ++b) sum -= r_[b][a] * y[b];
      y[a] = sum / r_[a][a];
      add<Room>(z_, y[a], q_[a]);
    }
  }

  const Problem<Room>& problem_;
  const double* start_;
  int size_;
  int count_ = 0;  // bounds held, at most size_
  double new_side_ = 1;
  alignas(16) double direction_[Room][Room];  // how the step changes each cable
  alignas(16) double z_[Room];
  alignas(16) double q_[Room][Room];  // orthonormal; the held bounds' directions are q r
  double r_[Room][Room];
  int cable_[Room];
  double side_[Room];  // 1: held at least, -1: at most
  double push_[Room];  // multipliers, never negative
  bool held_[Room];
};

}  // namespace

template <int Room>
bool nearest_by_active_set(const Problem<Room>& problem, const Space<Room>& space, const double* start,
                           double* tensions) {
  ActiveSet<Room> set(problem, space, start);
  if (!set.search()) return false;
  set.tensions(tensions);
  return true;
}

template bool nearest_by_active_set(const Problem<8>&, const Space<8>&, const double*, double*);
template bool nearest_by_active_set(const Problem<16>&, const Space<16>&, const double*, double*);

}  // namespace tandem::cables::tension
