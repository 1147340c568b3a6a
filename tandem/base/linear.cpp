// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/linear.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace tandem {

Vector6 solve_positive(const Matrix6& a, const Vector6& b) { return a.ldlt().solve(b); }

Vector6 eigenvalues(const Matrix6& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix6>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace tandem
