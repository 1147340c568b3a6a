// SPDX-License-Identifier: Apache-2.0
// Small dense systems: what poses, wrenches and twists need, in plain loops and compiled once (Eigen's decompositions
// cost every unit that names them two to ten seconds).
#pragma once

#include <Eigen/Core>

namespace tandem {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// x of a * x = b for a symmetric positive semi-definite a (only its lower half is read). Where a is singular, x is one
// of many or not finite.
Vector6 solve_positive(const Matrix6& a, const Vector6& b);

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
