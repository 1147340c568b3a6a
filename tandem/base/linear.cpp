// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/linear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tandem {
namespace {

constexpr int most_sweeps = 40;  // Jacobi's methods need six to ten

// The rotation by the smaller angle that makes two vectors with these squared lengths and this product orthogonal.
struct Rotation {
  double c, s;
};

Rotation rotation_for(double first, double second, double product) {
  const double zeta = (second - first) / (2 * product);
  const double t = std::copysign(1 / (std::abs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
  const double c = 1 / std::sqrt(1 + t * t);
  return {c, c * t};
}

void rotate(double& a, double& b, Rotation by) {
  const double before = a;
  a = by.c * before - by.s * b;
  b = by.s * before + by.c * b;
}

// Jacobi: each rotation makes one pair of entries zero, until all beside the diagonal are. Only the upper half is kept.
template <int n>
Eigen::Matrix<double, n, 1> symmetric_eigenvalues(Eigen::Matrix<double, n, n> m) {
  const double small = std::numeric_limits<double>::epsilon() * m.norm();
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (int p = 0; p < n - 1; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (!(std::abs(m(p, q)) > small)) continue;
        changed = true;
        const Rotation by = rotation_for(m(p, p), m(q, q), m(p, q));
        const double moved = by.s / by.c * m(p, q);
        m(p, p) -= moved;
        m(q, q) += moved;
        m(p, q) = 0;
        for (int k = 0; k < p; ++k) rotate(m(k, p), m(k, q), by);
        for (int k = p + 1; k < q; ++k) rotate(m(p, k), m(k, q), by);
        for (int k = q + 1; k < n; ++k) rotate(m(p, k), m(q, k), by);
      }
    }
  }
  Eigen::Matrix<double, n, 1> values;
  for (int i = 0; i < n; ++i) values[i] = m(i, i);
  std::sort(values.data(), values.data() + n);
  return values;
}

// Zero for zero: what a singular system leaves open stays zero.
double reciprocal(double value) { return std::abs(value) > std::numeric_limits<double>::min() ? 1 / value : 0; }

// L D L' in the order of the rows; false where a pivot is so small that the order matters.
bool solve_definite(const Matrix6& a, const Vector6& b, Vector6& x) {
  constexpr double clear = 1e-8;  // of the diagonal entry that it comes from
  double l[6][6], d[6], inverse[6];
  for (int j = 0; j < 6; ++j) {
    d[j] = a(j, j);
    for (int k = 0; k < j; ++k) d[j] -= l[j][k] * l[j][k] * d[k];
    if (!(d[j] > clear * a(j, j))) return false;
    inverse[j] = 1 / d[j];
    for (int i = j + 1; i < 6; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k] * d[k];
      l[i][j] = sum * inverse[j];
    }
  }
  for (int i = 0; i < 6; ++i) {
    x[i] = b[i];
    for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
  }
  for (int i = 5; i >= 0; --i) {
    x[i] *= inverse[i];
    for (int k = i + 1; k < 6; ++k) x[i] -= l[k][i] * x[k];
  }
  return true;
}

// The same with the largest diagonal entry first.
Vector6 solve_semidefinite(const Matrix6& a, const Vector6& b) {
  double m[6][6];
  double x[6];
  int order[6];
  for (int i = 0; i < 6; ++i) {
    order[i] = i;
    for (int j = 0; j <= i; ++j) m[i][j] = m[j][i] = a(i, j);
  }
  for (int k = 0; k < 6; ++k) {
    int largest = k;
    for (int i = k + 1; i < 6; ++i)
      if (m[order[i]][order[i]] > m[order[largest]][order[largest]]) largest = i;
    std::swap(order[k], order[largest]);
    const int p = order[k];
    const double scale = reciprocal(m[p][p]);
    for (int i = k + 1; i < 6; ++i) {
      const int r = order[i];
      const double factor = m[r][p] * scale;
      for (int j = k + 1; j <= i; ++j) {
        const int c = order[j];
        m[r][c] -= factor * m[c][p];
        m[c][r] = m[r][c];
      }
      m[p][r] = factor;  // of L; m[r][p] stays for the rows below
    }
  }
  for (int k = 0; k < 6; ++k) {
    x[k] = b[order[k]];
    for (int j = 0; j < k; ++j) x[k] -= m[order[j]][order[k]] * x[j];
  }
  for (int k = 5; k >= 0; --k) {
    x[k] *= reciprocal(m[order[k]][order[k]]);
    for (int j = k + 1; j < 6; ++j) x[k] -= m[order[k]][order[j]] * x[j];
  }
  Vector6 solution;
  for (int k = 0; k < 6; ++k) solution[order[k]] = x[k];
  return solution;
}

}  // namespace

Vector6 solve_positive(const Matrix6& a, const Vector6& b) {
  Vector6 x;
  return solve_definite(a, b, x) ? x : solve_semidefinite(a, b);
}

Elimination::Elimination(const Matrix6& a) {
  for (int i = 0; i < 6; ++i) {
    order_[i] = i;
    for (int j = 0; j < 6; ++j) m_[i][j] = a(i, j);
  }
  for (int k = 0; k < 6; ++k) {
    int largest = k;
    for (int i = k + 1; i < 6; ++i)
      if (std::abs(m_[i][k]) > std::abs(m_[largest][k])) largest = i;
    if (largest != k) {
      std::swap(m_[k], m_[largest]);
      std::swap(order_[k], order_[largest]);
      determinant_ = -determinant_;
    }
    determinant_ *= m_[k][k];
    const double inverse = reciprocal(m_[k][k]);
    for (int i = k + 1; i < 6; ++i) {
      m_[i][k] *= inverse;
      for (int j = k + 1; j < 6; ++j) m_[i][j] -= m_[i][k] * m_[k][j];
    }
  }
}

Vector6 Elimination::solve(const Vector6& b) const {
  Vector6 x;
  for (int i = 0; i < 6; ++i) {
    x[i] = b[order_[i]];
    for (int j = 0; j < i; ++j) x[i] -= m_[i][j] * x[j];
  }
  for (int i = 5; i >= 0; --i) {
    for (int j = i + 1; j < 6; ++j) x[i] -= m_[i][j] * x[j];
    x[i] /= m_[i][i];
  }
  return x;
}

Reflected::Reflected(const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& rows)
    : rows_(static_cast<int>(std::min<Eigen::Index>(rows.rows(), most_rows))), steps_(std::min(rows_, 6)) {
  for (int c = 0; c < 6; ++c) {
    order_[c] = c;
    for (int i = 0; i < rows_; ++i) columns_[c][i] = rows(i, c);
  }
  for (int k = 0; k < steps_; ++k) {
    int strongest = k;
    double most = -1;
    for (int c = k; c < 6; ++c) {
      double square = 0;
      for (int i = k; i < rows_; ++i) square += columns_[c][i] * columns_[c][i];
      if (square > most) most = square, strongest = c;
    }
    std::swap(columns_[k], columns_[strongest]);
    std::swap(order_[k], order_[strongest]);
    const double norm = std::sqrt(most), head = columns_[k][k];
    if (!(norm > 0)) continue;  // no reflection: all that is left is zero
    std::copy(columns_[k] + k, columns_[k] + rows_, v_[k] + k);
    v_[k][k] += std::copysign(norm, head);
    beta_[k] = 1 / (norm * (norm + std::abs(head)));
    for (int c = k; c < 6; ++c) mirror(k, columns_[c]);
  }
}

int Reflected::rank(double threshold) const {
  int count = 0;
  while (count < steps_ && std::abs(r(count, count)) > threshold * std::abs(r(0, 0))) ++count;
  return count;
}

void Reflected::mirror(int k, double* x) const {
  double along = 0;
  for (int i = k; i < rows_; ++i) along += v_[k][i] * x[i];
  along *= beta_[k];
  for (int i = k; i < rows_; ++i) x[i] -= along * v_[k][i];
}

void Reflected::turn(double* x) const {
  for (int k = steps_ - 1; k >= 0; --k) mirror(k, x);
}

void Reflected::turn_back(double* x) const {
  for (int k = 0; k < steps_; ++k) mirror(k, x);
}

Vector6 Reflected::nearest(const double* b, double threshold) const {
  double x[most_rows];
  std::copy_n(b, rows_, x);
  turn_back(x);
  Vector6 solution = Vector6::Zero();
  for (int k = rank(threshold) - 1; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) x[k] -= r(k, j) * solution[order_[j]];
    solution[order_[k]] = x[k] / r(k, k);
  }
  return solution;
}

Vector6 eigenvalues(const Matrix6& symmetric) { return symmetric_eigenvalues<6>(symmetric); }
Eigen::Vector3d eigenvalues(const Eigen::Matrix3d& symmetric) { return symmetric_eigenvalues<3>(symmetric); }

// One-sided Jacobi: columns are rotated in pairs until all are orthogonal; their lengths are the values.
Singular singular_values(const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& rows) {
  Eigen::Matrix<double, Eigen::Dynamic, 6> columns = rows;
  const Eigen::Index count = columns.rows();
  Matrix6 turned = Matrix6::Identity();
  constexpr double small = std::numeric_limits<double>::epsilon();
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (int p = 0; p < 5; ++p) {
      for (int q = p + 1; q < 6; ++q) {
        double first = 0, second = 0, product = 0;
        for (Eigen::Index k = 0; k < count; ++k) {
          first += columns(k, p) * columns(k, p);
          second += columns(k, q) * columns(k, q);
          product += columns(k, p) * columns(k, q);
        }
        if (!(std::abs(product) > small * std::sqrt(first * second)) || product == 0) continue;
        changed = true;
        const Rotation by = rotation_for(first, second, product);
        for (Eigen::Index k = 0; k < count; ++k) rotate(columns(k, p), columns(k, q), by);
        for (int k = 0; k < 6; ++k) rotate(turned(k, p), turned(k, q), by);
      }
    }
  }
  std::array<double, 6> lengths{};
  for (int i = 0; i < 6; ++i) lengths[i] = columns.col(i).norm();
  std::array<int, 6> order{};
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return lengths[a] > lengths[b]; });
  Singular all;
  for (int i = 0; i < 6; ++i) {
    all.values[i] = lengths[order[i]];
    all.directions.col(i) = turned.col(order[i]);
  }
  return all;
}

}  // namespace tandem
