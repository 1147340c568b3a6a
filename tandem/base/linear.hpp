// SPDX-License-Identifier: Apache-2.0
// Small dense systems: what poses, wrenches and twists need, in plain loops and compiled once (Eigen's decompositions
// cost every unit that names them two to ten seconds).
#pragma once

#include <Eigen/Core>
#include <array>

namespace tandem {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// x of a * x = b for a symmetric positive semi-definite a (only its lower half is read). Where a is singular, x is one
// of many or not finite.
Vector6 solve_positive(const Matrix6& a, const Vector6& b);

// Six equations by elimination, the largest entry of a column first.
class Elimination {
 public:
  explicit Elimination(const Matrix6& a);

  double determinant() const { return determinant_; }
  const std::array<int, 6>& order() const { return order_; }  // the row of a that was taken k-th
  Vector6 solve(const Vector6& b) const;                      // not finite where a is singular

 private:
  double m_[6][6];  // U, and below it the factors of L
  std::array<int, 6> order_{};
  double determinant_ = 1;
};

// At most 16 rows of six numbers as Q R, by Householder's reflections, always the strongest column that is left next.
class Reflected {
 public:
  static constexpr int most_rows = 16;

  explicit Reflected(const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& rows);

  int rank(double threshold) const;  // how many columns are stronger than that, over the strongest
  double r(int row, int column) const { return columns_[column][row]; }
  int taken(int k) const { return order_[k]; }  // the column that was taken k-th
  void turn(double* x) const;                   // x becomes Q x
  void turn_back(double* x) const;              // x becomes Q' x
  // The vector that these rows bring nearest to b; zero for columns that are not stronger than the threshold.
  Vector6 nearest(const double* b, double threshold) const;

 private:
  void mirror(int k, double* x) const;

  int rows_, steps_;
  double columns_[6][most_rows] = {};  // R
  double v_[6][most_rows] = {};        // of the reflections I - beta v v'
  double beta_[6] = {};
  std::array<int, 6> order_{};
};

// Eigenvalues of a symmetric matrix, smallest first.
Vector6 eigenvalues(const Matrix6& symmetric);
Eigen::Vector3d eigenvalues(const Eigen::Matrix3d& symmetric);

// What a matrix of rows of six numbers does to unit vectors of six.
struct Singular {
  Vector6 values;      // singular values, largest first
  Matrix6 directions;  // a column for each: the vector that is stretched by that much
};

// Of any number of rows; finite numbers only.
Singular singular_values(const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 6>>& rows);

}  // namespace tandem
