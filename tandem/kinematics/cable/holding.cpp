// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/holding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tandem::cables {

namespace {

constexpr double rank_threshold = 1e-9;

Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, most_cables, 6> comparable_rows(const Structure& structure,
                                                                                          double scale) {
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, most_cables, 6> rows = structure.transpose();
  rows.rightCols<3>() /= scale;
  return rows;
}

// The simplex method on a dictionary: basic = right - table * others, all slacks >= 0. Columns 0 to n - 2 stand for x
// at first and the last for s; numbers from `columns` on are slacks of rows.
class Dictionary {
 public:
  explicit Dictionary(const LargestShare& problem)
      : rows_(static_cast<int>(problem.right.size())), columns_(static_cast<int>(problem.slope.cols()) + 1) {
    table_.resize(rows_, columns_);
    table_.leftCols(columns_ - 1) = problem.slope;
    table_.col(columns_ - 1) = problem.share;
    right_ = problem.right;
    for (int k = 0; k < rows_; ++k) basic_[k] = columns_ + k;
    for (int j = 0; j < columns_; ++j) other_[j] = j;
  }

  double largest_share() {
    enter_share();
    for (int step = 0; step < most_steps; ++step) {
      const auto [column, sign] = entering(step);
      if (column < 0) return right_[share_row_];
      const int row = leaving(column, sign, step);
      if (row < 0) return std::numeric_limits<double>::infinity();
      pivot(row, column);
    }
    return right_[share_row_];  // only rounding can turn in circles for this long, and then this is the value
  }

 private:
  static constexpr int most_steps = 400, greedy_steps = 60;
  static constexpr double least_slope = 1e-11, least_pivot = 1e-10;

  bool free_number(int number) const { return number < columns_; }

  // s rises from far below until the first row stops it: from there on every slack is >= 0.
  void enter_share() {
    int row = -1;
    for (int k = 0; k < rows_; ++k) {
      if (table_(k, columns_ - 1) > 0 && (row < 0 || right_[k] < right_[row])) row = k;
    }
    share_row_ = row;
    pivot(row, columns_ - 1);
  }

  // A column that raises s, and by which sign; after many greedy steps the first one (Bland), which never circles.
  std::pair<int, double> entering(int step) const {
    int best = -1;
    double most = least_slope, sign = 1;
    for (int j = 0; j < columns_; ++j) {
      const double slope = -table_(share_row_, j);
      const double gain = free_number(other_[j]) ? std::abs(slope) : slope;
      if (gain <= least_slope) continue;
      const bool better = step < greedy_steps ? gain > most : best < 0 || other_[j] < other_[best];
      if (!better) continue;
      best = j;
      most = gain;
      sign = slope > 0 ? 1 : -1;
    }
    return {best, sign};
  }

  int leaving(int column, double sign, int step) const {
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < rows_; ++k) {
      const double fall = table_(k, column) * sign;
      if (free_number(basic_[k]) || fall <= least_pivot) continue;
      const double reach = std::max(right_[k], 0.0) / fall;
      const bool tie = std::abs(reach - least) <= 1e-14 * (1 + reach);
      const bool preferred =
          best >= 0 && (step < greedy_steps ? fall > table_(best, column) * sign : basic_[k] < basic_[best]);
      if (best < 0 || (tie ? preferred : reach < least)) best = k, least = reach;
    }
    return best;
  }

  void pivot(int row, int column) {
    const double inverse = 1 / table_(row, column);
    table_.row(row) *= inverse;
    right_[row] *= inverse;
    table_(row, column) = inverse;
    for (int k = 0; k < rows_; ++k) {
      const double factor = table_(k, column);
      if (k == row || factor == 0) continue;
      right_[k] -= factor * right_[row];
      table_(k, column) = 0;
      table_.row(k) -= factor * table_.row(row);
    }
    std::swap(basic_[row], other_[column]);
  }

  int rows_, columns_, share_row_ = 0;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, LargestShare::most_rows,
                LargestShare::most_columns + 1>
      table_;
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, LargestShare::most_rows, 1> right_;
  int basic_[LargestShare::most_rows] = {}, other_[LargestShare::most_columns + 1] = {};
};

}  // namespace

Holding::Holding(const Robot& robot, const Structure& structure)
    : scale_(robot.scale()), rows_(comparable_rows(structure, scale_)), rank_(rows_.rank(rank_threshold)) {
  static_assert(most_cables <= Reflected::most_rows);
  const auto count = structure.cols();
  null_ = Basis::Zero(count, count - rank_);
  for (Eigen::Index c = 0; c < null_.cols(); ++c) {
    null_(rank_ + c, c) = 1;
    rows_.turn(null_.data() + c * count);
  }
}

std::optional<PerCable> Holding::shortest(const Wrench& outer) const {
  Wrench right = -outer;
  right.tail<3>() /= scale_;
  const double size = right.norm();
  PerCable tensions = PerCable::Zero(null_.rows());
  for (int k = 0; k < 6; ++k) {
    double rest = right[rows_.taken(k)];
    for (int j = 0; j < std::min(k, rank_); ++j) rest -= rows_.r(j, k) * tensions[j];
    if (k < rank_) {
      tensions[k] = rest / rows_.r(k, k);
    } else if (std::abs(rest) > 1e-7 * (1 + size)) {
      return std::nullopt;
    }
  }
  rows_.turn(tensions.data());
  if (!tensions.allFinite()) return std::nullopt;
  return tensions;
}

double LargestShare::solve() const { return Dictionary(*this).largest_share(); }

}  // namespace tandem::cables
