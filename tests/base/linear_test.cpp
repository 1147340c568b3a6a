// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/linear.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <random>

namespace tandem {

namespace {

Matrix6 random_matrix(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Matrix6::NullaryExpr([&] { return normal(random); });
}

}  // namespace

TEST_CASE("six equations of a positive matrix are solved") {
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const Matrix6 half = random_matrix(random);
    const Matrix6 a = half * half.transpose() + 0.1 * Matrix6::Identity();
    const Vector6 x = random_matrix(random).col(0);
    CHECK((solve_positive(a, a * x) - x).norm() < 1e-9 * x.norm());
  }
}

TEST_CASE("eigenvalues of a symmetric matrix come smallest first") {
  std::mt19937 random(4);
  for (int k = 0; k < 200; ++k) {
    const Matrix6 half = random_matrix(random);
    const Matrix6 symmetric = half + half.transpose();
    const Vector6 values = eigenvalues(symmetric);
    CHECK(values.sum() == doctest::Approx(symmetric.trace()));
    for (int i = 0; i < 6; ++i) {
      // Each makes the matrix singular: its determinant is small beside that of a matrix shifted elsewhere.
      const double at = (symmetric - values[i] * Matrix6::Identity()).determinant();
      const double beside = (symmetric - (values[i] + 1e-3) * Matrix6::Identity()).determinant();
      CHECK(std::abs(at) <= 1e-6 * std::abs(beside) + 1e-9);
      if (i > 0) CHECK(values[i - 1] <= values[i]);
    }
  }
}

}  // namespace tandem
