// SPDX-License-Identifier: Apache-2.0
// Clp, COIN-OR's simplex, as an oracle: dense problems of a few columns.
#pragma once

#include <coin/Clp_C_Interface.h>

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <vector>

namespace linear_program {

constexpr double infinity = std::numeric_limits<double>::max();  // Clp's

struct Program {
  Eigen::MatrixXd rows;
  Eigen::VectorXd row_least, row_most, least, most, cost;
};

// The least cost, or nothing when no point satisfies all rows.
inline std::optional<double> minimum(const Program& program) {
  const int rows = static_cast<int>(program.rows.rows()), columns = static_cast<int>(program.rows.cols());
  std::vector<int> starts, indices;
  for (int c = 0; c <= columns; ++c) starts.push_back(c * rows);
  for (int i = 0; i < rows * columns; ++i) indices.push_back(i % rows);
  Clp_Simplex* const model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_setPrimalTolerance(model, 1e-9);
  Clp_setDualTolerance(model, 1e-9);
  Clp_loadProblem(model, columns, rows, starts.data(), indices.data(), program.rows.data(), program.least.data(),
                  program.most.data(), program.cost.data(), program.row_least.data(), program.row_most.data());
  Clp_dual(model, 0);
  if (Clp_status(model) != 0) Clp_primal(model, 0);
  std::optional<double> value;
  if (Clp_status(model) == 0) value = Clp_objectiveValue(model);
  Clp_deleteModel(model);
  return value;
}

}  // namespace linear_program
