// SPDX-License-Identifier: Apache-2.0
// Six equations: the one decomposition that poses, wrenches and twists need, compiled once (Eigen's templates cost
// every unit that names them one to two seconds).
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

}  // namespace tandem
