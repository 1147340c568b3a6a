// SPDX-License-Identifier: Apache-2.0
// The dual active-set method of D. Goldfarb and A. Idnani (1983) as textbooks and eiquadprog have it: dense
// constraints, an orthogonal factor kept up to date by Givens rotations. A peer to measure against, written for this
// benchmark.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace textbook {

// Minimises |x - aim| with equalities . x = right, least <= x <= most.
template <int N, int Equalities>
class DualActiveSet {
 public:
  double equalities[Equalities][N], right[Equalities], aim[N], least[N], most[N];
  double x[N];

  // False when nothing satisfies them all.
  bool solve() {
    count_ = 0;
    std::copy_n(aim, N, x);
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k) j_[i][k] = i == k ? 1 : 0;
    std::fill_n(held_, 2 * N, false);
    for (int e = 0; e < Equalities; ++e)
      if (!add_equality(e)) return false;
    for (int round = 0; round < 200; ++round) {
      int broken = -1;
      double worst = -1e-10;
      for (int i = 0; i < 2 * N; ++i)
        if (!held_[i] && slack(i) < worst) worst = slack(i), broken = i;
      if (broken < 0) return true;
      if (!add_bound(broken)) return false;
    }
    return false;
  }

 private:
  double slack(int i) const { return i < N ? x[i] - least[i] : most[i - N] - x[i - N]; }

  // d = J' normal, z = the step that the constraints allow, r = how the multipliers change.
  void directions(const double* normal) {
    for (int k = 0; k < N; ++k) {
      d_[k] = 0;
      for (int i = 0; i < N; ++i) d_[k] += j_[i][k] * normal[i];
    }
    for (int i = 0; i < N; ++i) {
      z_[i] = 0;
      for (int k = count_; k < N; ++k) z_[i] += j_[i][k] * d_[k];
    }
    for (int i = count_ - 1; i >= 0; --i) {
      double sum = d_[i];
      for (int k = i + 1; k < count_; ++k) sum -= r_[i][k] * step_[k];
      step_[i] = sum / r_[i][i];
    }
  }

  static void rotation(double a, double b, double& c, double& s) {
    const double length = std::hypot(a, b);
    c = length > 0 ? a / length : 1, s = length > 0 ? b / length : 0;
  }

  bool add(int constraint) {
    for (int k = N - 1; k > count_; --k) {
      double c, s;
      rotation(d_[k - 1], d_[k], c, s);
      if (s == 0) continue;
      d_[k - 1] = c * d_[k - 1] + s * d_[k];
      for (int i = 0; i < N; ++i) {
        const double a = j_[i][k - 1], b = j_[i][k];
        j_[i][k - 1] = c * a + s * b, j_[i][k] = c * b - s * a;
      }
    }
    for (int i = 0; i <= count_; ++i) r_[i][count_] = d_[i];
    active_[count_++] = constraint;
    return std::abs(r_[count_ - 1][count_ - 1]) > 1e-12;
  }

  void drop(int which) {
    held_[active_[which]] = false;
    for (int k = which; k + 1 < count_; ++k) {
      active_[k] = active_[k + 1], u_[k] = u_[k + 1];
      for (int i = 0; i < N; ++i) r_[i][k] = r_[i][k + 1];
    }
    u_[count_ - 1] = u_[count_];
    --count_;
    for (int k = which; k < count_; ++k) {
      double c, s;
      rotation(r_[k][k], r_[k + 1][k], c, s);
      for (int i = k; i < count_; ++i) {
        const double a = r_[k][i], b = r_[k + 1][i];
        r_[k][i] = c * a + s * b, r_[k + 1][i] = c * b - s * a;
      }
      for (int i = 0; i < N; ++i) {
        const double a = j_[i][k], b = j_[i][k + 1];
        j_[i][k] = c * a + s * b, j_[i][k + 1] = c * b - s * a;
      }
    }
  }

  bool add_equality(int e) {
    directions(equalities[e]);
    double square = 0, missing = right[e];
    for (int i = 0; i < N; ++i) square += z_[i] * equalities[e][i], missing -= equalities[e][i] * x[i];
    if (square < 1e-20) return std::abs(missing) < 1e-9;
    move(missing / square);
    u_[count_] = missing / square;
    return add(-1 - e);
  }

  void move(double t) {
    for (int i = 0; i < N; ++i) x[i] += t * z_[i];
    for (int k = 0; k < count_; ++k) u_[k] -= t * step_[k];
  }

  bool add_bound(int p) {
    double normal[N] = {};
    normal[p % N] = p < N ? 1 : -1;
    u_[count_] = 0;
    for (int turn = 0; turn < 50; ++turn) {
      directions(normal);
      int blocked = -1;
      double until_blocked = std::numeric_limits<double>::infinity(), until_held = until_blocked;
      for (int k = Equalities; k < count_; ++k) {
        if (!(step_[k] > 0) || u_[k] / step_[k] >= until_blocked) continue;
        until_blocked = u_[k] / step_[k], blocked = k;
      }
      double square = 0;
      for (int i = 0; i < N; ++i) square += z_[i] * z_[i];
      if (square > 1e-20) until_held = -slack(p) / square;
      const double t = std::min(until_blocked, until_held);
      if (!std::isfinite(t)) return false;
      if (square <= 1e-20) std::fill_n(z_, N, 0.0);
      move(t);
      u_[count_] += t;
      if (t == until_held) {
        held_[p] = true;
        return add(p);
      }
      drop(blocked);
    }
    return false;
  }

  int count_ = 0;
  int active_[N + 1];
  bool held_[2 * N];
  double j_[N][N], r_[N][N + 1], d_[N], z_[N], step_[N], u_[N + 1];
};

}  // namespace textbook
