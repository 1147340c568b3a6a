// SPDX-License-Identifier: Apache-2.0
// All the tensions that hold a wrench, for any number of cables: one solution and the null space of the structure.
// Inside of cable_workspace.cpp. Nothing throws or allocates.
#pragma once

#include <optional>

#include "tandem/base/linear.hpp"
#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

class Holding {
 public:
  using Basis = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_cables, most_cables>;

  Holding(const Robot& robot, const Structure& structure);

  int rank() const { return rank_; }                 // of the structure: 6, unless the pose is singular
  const Basis& null_space() const { return null_; }  // orthonormal columns
  // The shortest vector of tensions that holds it, of either sign; nothing where a singular pose cannot.
  std::optional<PerCable> shortest(const Wrench& outer) const;

 private:
  double scale_;
  Reflected rows_;
  int rank_;
  Basis null_;
};

// Largest s for which some x has slope * x + share * s <= right in every row. Shares are 1 or 0, at least one is 1, and
// where it is 0 `right` is not negative. For at most this many rows and columns.
struct LargestShare {
  static constexpr int most_rows = 2 * most_cables + 2;
  static constexpr int most_columns = most_cables;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_rows, most_columns> slope;
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_rows, 1> share, right;

  double solve() const;  // infinity where nothing bounds it
};

}  // namespace tandem::cables
