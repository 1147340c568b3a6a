// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/linear.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
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

TEST_CASE("any six equations are solved as Eigen solves them") {
  std::mt19937 random(6);
  for (int k = 0; k < 500; ++k) {
    const Matrix6 a = random_matrix(random);
    const Vector6 b = random_matrix(random).col(0);
    const Elimination elimination(a);
    const Eigen::FullPivLU<Matrix6> lu(a);
    CHECK(elimination.determinant() == doctest::Approx(lu.determinant()).epsilon(1e-9));
    CHECK((elimination.solve(b) - lu.solve(b)).norm() < 1e-13 * lu.solve(b).norm() / lu.rcond());
    CHECK(a.row(elimination.order()[0]).cwiseAbs()[0] == doctest::Approx(a.col(0).cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("a singular matrix has determinant zero and no finite solution") {
  Matrix6 a = Matrix6::Identity();
  a(3, 3) = 0;
  CHECK(Elimination(a).determinant() == 0);
  CHECK_FALSE(Elimination(a).solve(Vector6::Ones()).allFinite());
}

TEST_CASE("reflected rows are Q R, and Q keeps lengths") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const int count : {3, 6, 8, 11, 16}) {
    for (int round = 0; round < 50; ++round) {
      Eigen::Matrix<double, Eigen::Dynamic, 6> rows(count, 6);
      for (int i = 0; i < rows.size(); ++i) rows.data()[i] = normal(random);
      const bool weak = round % 2 == 1 && count > 3;
      if (weak) rows.col(4) = rows.col(1) - 2 * rows.col(0);
      const Reflected reflected(rows);
      CHECK(reflected.rank(1e-9) == (weak ? 5 : std::min(count, 6)));
      for (int k = 0; k < 6; ++k) {
        Eigen::VectorXd column = Eigen::VectorXd::Zero(count);
        for (int i = 0; i <= std::min(k, count - 1); ++i) column[i] = reflected.r(i, k);
        reflected.turn(column.data());
        CHECK((column - rows.col(reflected.taken(k))).norm() < 1e-12 * rows.norm());
      }
      Eigen::VectorXd x = Eigen::VectorXd::NullaryExpr(count, [&] { return normal(random); });
      const Eigen::VectorXd before = x;
      reflected.turn_back(x.data());
      CHECK(x.norm() == doctest::Approx(before.norm()));
      reflected.turn(x.data());
      CHECK((x - before).norm() < 1e-12 * before.norm());
    }
  }
}

TEST_CASE("the nearest solution is that of least squares") {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (const int count : {6, 8, 16}) {
    for (int round = 0; round < 50; ++round) {
      Eigen::Matrix<double, Eigen::Dynamic, 6> rows(count, 6);
      for (int i = 0; i < rows.size(); ++i) rows.data()[i] = normal(random);
      const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(count, [&] { return normal(random); });
      const Vector6 wanted = rows.colPivHouseholderQr().solve(b);
      CHECK((Reflected(rows).nearest(b.data(), 1e-12) - wanted).norm() < 1e-8 * (1 + wanted.norm()));
      // A column that says nothing new is left out, and what is missed stays the same.
      Eigen::Matrix<double, Eigen::Dynamic, 6> weak = rows;
      weak.col(5) = weak.col(2);
      const Vector6 part = Reflected(weak).nearest(b.data(), 1e-9);
      const Eigen::VectorXd least = weak * weak.completeOrthogonalDecomposition().solve(b) - b;
      CHECK((weak * part - b).norm() == doctest::Approx(least.norm()));
      CHECK(part[2] * part[5] == 0);
    }
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
