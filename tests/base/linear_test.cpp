// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/linear.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
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

TEST_CASE("moments of inertia come smallest first") {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const Eigen::Vector3d moments(0.2, 3.0, 3.1);
  CHECK((eigenvalues(Eigen::Matrix3d(turn * moments.asDiagonal() * turn.transpose())) - moments).norm() < 1e-14);
}

TEST_CASE("singular values and directions are those of Eigen") {
  std::mt19937 random(5);
  for (const int rows : {3, 6, 8, 16}) {
    for (int k = 0; k < 100; ++k) {
      std::normal_distribution<double> normal;
      Eigen::Matrix<double, Eigen::Dynamic, 6> a(rows, 6);
      for (double& number : a.reshaped()) number = normal(random);
      if (k % 3 == 1) a.col(2) = a.col(4) - 2 * a.col(5);  // rank 5
      if (k % 3 == 2) a.col(1) *= 1e-9;
      const Eigen::JacobiSVD<Eigen::MatrixXd> oracle(a, Eigen::ComputeFullV);
      const Singular all = singular_values(a);
      const double largest = all.values[0];
      CHECK((all.directions.transpose() * all.directions - Matrix6::Identity()).norm() < 1e-13);
      for (int i = 0; i < 6; ++i) {
        const double expected = i < rows ? oracle.singularValues()[i] : 0;
        CHECK(std::abs(all.values[i] - expected) < 1e-14 * largest * rows);
        CHECK((a * all.directions.col(i)).norm() == doctest::Approx(all.values[i]).epsilon(1e-6).scale(largest * 1e-8));
      }
    }
  }
}

TEST_CASE("a singular positive system has a finite solution of its equations") {
  Matrix6 a = Matrix6::Zero();
  a.diagonal() << 4, 0, 2, 0, 1, 3;
  a(5, 0) = a(0, 5) = 1;
  const Vector6 x(1, 0, -2, 0, 3, 0.5);
  const Vector6 found = solve_positive(a, a * x);
  CHECK((a * found - a * x).norm() < 1e-14);
}

}  // namespace tandem
