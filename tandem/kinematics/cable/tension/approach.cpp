// SPDX-License-Identifier: Apache-2.0
// Bounded least squares: all cables start at a bound; the one whose bound costs most is let free, the free ones go to
// their least squares as far as the ranges allow, and who meets a bound stays there. What is missing shrinks with every
// cable let free, so no set comes twice and the search ends. Free columns are independent, as what is missing is
// orthogonal to them and not to the next one: never more than six.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/tension/problem.hpp"

namespace tandem::cables::tension {
namespace {

constexpr int rounds_limit = 300;    // cables let free; 6 to 12 are usual
constexpr int widenings_limit = 40;  // 2 to 6 are usual
constexpr double dependent_column = 1e-11;

template <int Room>
class BoundedLeastSquares {
 public:
  BoundedLeastSquares(const Problem<Room>& problem, const double* start) : problem_(problem) {
    for (int i = 0; i < Room; ++i) {
      for (int r = 0; r < 6; ++r) column_[i][r] = problem.rows[r][i];
      pinned_[i] = !(problem.least[i] < problem.most[i]);
      at_most_[i] = !pinned_[i] && start[i] - problem.least[i] > problem.most[i] - start[i];
      free_[i] = false;
    }
  }

  // With every range wider by `widening` on both sides, but for cables that have no choice at all. What was found
  // before is where it starts.
  void solve(double widening) {
    for (int i = 0; i < Room; ++i) {
      least_[i] = problem_.least[i] - (pinned_[i] ? 0 : widening);
      most_[i] = problem_.most[i] + (pinned_[i] ? 0 : widening);
      if (!free_[i]) tensions_[i] = at_most_[i] ? most_[i] : least_[i];
      refused_[i] = false;
    }
    shortfall(problem_, tensions_, missing_);
    if (count_ > 0) settle(-1);
    for (int round = 0; round < rounds_limit; ++round) {
      if (norm_of(missing_) <= 0.1 * problem_.wrench_noise || count_ >= 6) return;
      const int i = costliest();
      if (i < 0) return;
      free_[i] = true;
      index_[count_++] = i;
      if (settle(i)) {
        std::fill_n(refused_, Room, false);
      } else {
        bind(count_ - 1, at_most_[i]);
        refused_[i] = true;
      }
    }
  }

  // How much nearer per newton the cable's bound would let us come: never negative where we are as near as can be.
  double cost(int i) const { return free_[i] || pinned_[i] ? 0 : (at_most_[i] ? 1 : -1) * pull(i); }

  double pull(int i) const {
    double sum = 0;
    for (int r = 0; r < 6; ++r) sum += column_[i][r] * missing_[r];
    return sum;
  }
  const double* tensions() const { return tensions_; }
  const double (&missing() const)[6] { return missing_; }
  bool pinned(int i) const { return pinned_[i]; }

 private:
  int costliest() const {
    int best = -1;
    double most = 1e-3 * problem_.wrench_noise;
    for (int i = 0; i < problem_.cables; ++i) {
      const double gain = -cost(i);
      if (!refused_[i] && gain > most) most = gain, best = i;
    }
    return best;
  }

  void bind(int place, bool at_most) {
    const int i = index_[place];
    at_most_[i] = at_most;
    free_[i] = false;
    tensions_[i] = at_most ? most_[i] : least_[i];
    std::copy(index_ + place + 1, index_ + count_, index_ + place);
    --count_;
  }

  // The step of the free cables to their least squares. False when their columns depend on each other.
  bool step(double (&to)[6]) const {
    double q[6][6], r[6][6], along[6];
    for (int a = 0; a < count_; ++a) {
      double* const fresh = q[a];
      std::copy_n(column_[index_[a]], 6, fresh);
      double whole = 0, left = 0;
      for (int k = 0; k < 6; ++k) whole += fresh[k] * fresh[k];
      std::fill_n(r[a], 6, 0.0);
      for (int pass = 0; pass < 2; ++pass) {
        for (int b = 0; b < a; ++b) {
          double part = 0;
          for (int k = 0; k < 6; ++k) part += q[b][k] * fresh[k];
          for (int k = 0; k < 6; ++k) fresh[k] -= part * q[b][k];
          r[a][b] += part;
        }
      }
      for (int k = 0; k < 6; ++k) left += fresh[k] * fresh[k];
      if (!(left > dependent_column * dependent_column * whole)) return false;
      r[a][a] = std::sqrt(left);
      along[a] = 0;
      for (int k = 0; k < 6; ++k) fresh[k] /= r[a][a], along[a] += fresh[k] * missing_[k];
    }
    for (int a = count_ - 1; a >= 0; --a) {
      double sum = along[a];
      for (int b = a + 1; b < count_; ++b) sum -= r[b][a] * to[b];
      to[a] = sum / r[a][a];
    }
    return true;
  }

  // Moves the free cables to their least squares, binding those that meet a bound. False, with nothing moved, when the
  // `fresh` one would leave its range at once: rounding only.
  bool settle(int fresh) {
    for (int turn = 0; turn <= 6 && count_ > 0; ++turn) {
      double way[6];
      if (!step(way)) return turn > 0;
      if (turn == 0 && fresh >= 0 && !((at_most_[fresh] ? -1 : 1) * way[count_ - 1] > 0)) return false;
      double part = 1;
      int blocked = -1;
      for (int a = 0; a < count_; ++a) {
        const int i = index_[a];
        const double room = (way[a] > 0 ? most_[i] : least_[i]) - tensions_[i];
        if (std::abs(way[a]) * part <= std::abs(room)) continue;
        part = std::abs(room) / std::abs(way[a]);
        blocked = a;
      }
      for (int a = 0; a < count_; ++a) {
        const int i = index_[a];
        tensions_[i] = std::clamp(tensions_[i] + part * way[a], least_[i], most_[i]);
      }
      if (blocked >= 0) bind(blocked, way[blocked] > 0);
      shortfall(problem_, tensions_, missing_);
      if (blocked < 0) return true;
    }
    return true;
  }

  const Problem<Room>& problem_;
  alignas(16) double tensions_[Room];
  double column_[Room][6];
  double least_[Room], most_[Room];
  double missing_[6];
  int index_[6];   // the free cables
  int count_ = 0;  // of them
  bool free_[Room], at_most_[Room], pinned_[Room], refused_[Room];
};

}  // namespace

template <int Room>
void come_near(const Problem<Room>& problem, const double* start, Approach<Room>& approach) {
  BoundedLeastSquares<Room> search(problem, start);
  search.solve(0);
  std::copy_n(search.tensions(), Room, approach.tensions);
  std::copy_n(search.missing(), 6, approach.missing);
  approach.distance = norm_of(approach.missing);
  approach.widening = 0;
  approach.cable = -1;
  approach.at_most = false;
  double most = 1e-3 * problem.wrench_noise;
  for (int i = 0; i < problem.cables; ++i) {
    const double cost = search.pinned(i) ? std::abs(search.pull(i)) : search.cost(i);
    if (!(cost > most)) continue;
    most = cost;
    approach.cable = i;
    approach.at_most = search.pull(i) > 0;
  }
  // The distance falls convexly with the widening, at the rate below: Newton's steps stay short of its end and come
  // there after a few, as it is reached in a straight line.
  for (int i = 0; i < widenings_limit; ++i) {
    const double distance = norm_of(search.missing());
    if (!(distance > 0.1 * problem.wrench_noise)) return;
    double rate = 0;
    for (int c = 0; c < problem.cables; ++c) rate += search.pinned(c) ? 0 : std::abs(search.pull(c));
    if (!(rate > 1e-9 * distance)) {
      approach.widening = std::numeric_limits<double>::infinity();
      return;
    }
    approach.widening += distance * (distance / rate);
    search.solve(approach.widening);
  }
}

template void come_near(const Problem<8>&, const double*, Approach<8>&);
template void come_near(const Problem<16>&, const double*, Approach<16>&);

}  // namespace tandem::cables::tension
