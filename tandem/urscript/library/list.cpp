// SPDX-License-Identifier: Apache-2.0
// Lists and matrices.
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "tandem/urscript/library/library.hpp"

namespace tandem::urscript {

namespace {

constexpr std::size_t largest_inverse = 60;  // rows of a matrix

Outcome length(Call& call) {
  if (call[0].list() != nullptr) return Value(static_cast<std::int32_t>(call[0].list()->size()));
  if (call[0].text() != nullptr) return Value(static_cast<std::int32_t>(call[0].text()->size()));
  if (call[0].structure() != nullptr) return Value(static_cast<std::int32_t>(call[0].structure()->members.size()));
  if (call[0].pose() != nullptr) return Value(std::int32_t{6});
  return Error{Fault::invalid, fmt::format("expected a list, got {}", type_name(call[0]))};
}

// The length of a list, or rows and columns of a matrix.
Outcome size(Call& call) {
  const std::vector<Value>* rows = call[0].list();
  if (rows == nullptr || rows->empty() || rows->front().list() == nullptr) return length(call);
  const auto columns = static_cast<std::int32_t>(rows->front().list()->size());
  return Value::make_list({Value(static_cast<std::int32_t>(rows->size())), Value(columns)});
}

Result<Eigen::MatrixXd> matrix_of(const Value& value) {
  const std::vector<Value>* rows = value.list();
  const Error not_one{Fault::invalid, "expected a matrix: a list of rows of equal length"};
  if (rows == nullptr || rows->empty() || rows->front().list() == nullptr) return not_one;
  const std::size_t columns = rows->front().list()->size();
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows->size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto row = numbers_of((*rows)[i]);
    if (!row || row->size() != columns) return not_one;
    for (std::size_t j = 0; j < columns; ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = (*row)[j];
  }
  return matrix;
}

Result<Value> value_of(const Eigen::MatrixXd& matrix) {
  std::vector<Value> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<Value> row;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.emplace_back(matrix(i, j));
    auto made = Value::make_list(std::move(row));
    if (!made) return made;
    rows.push_back(*std::move(made));
  }
  return Value::make_list(std::move(rows));
}

// By elimination, the largest entry of a column first; nothing for a singular matrix.
std::optional<Eigen::MatrixXd> inverse_of(Eigen::MatrixXd left) {
  const Eigen::Index size = left.rows();
  const double small = std::numeric_limits<double>::epsilon() * static_cast<double>(size) * left.cwiseAbs().maxCoeff();
  Eigen::MatrixXd right = Eigen::MatrixXd::Identity(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    Eigen::Index largest = k;
    for (Eigen::Index i = k + 1; i < size; ++i)
      if (std::abs(left(i, k)) > std::abs(left(largest, k))) largest = i;
    if (!(std::abs(left(largest, k)) > small)) return std::nullopt;
    for (Eigen::MatrixXd* side : {&left, &right}) {
      for (Eigen::Index j = 0; j < size; ++j) std::swap((*side)(k, j), (*side)(largest, j));
    }
    const double inverse = 1 / left(k, k);
    for (Eigen::Index j = 0; j < size; ++j) left(k, j) *= inverse, right(k, j) *= inverse;
    for (Eigen::Index i = 0; i < size; ++i) {
      const double factor = left(i, k);
      if (i == k || factor == 0) continue;
      for (Eigen::Index j = 0; j < size; ++j) {
        left(i, j) -= factor * left(k, j);
        right(i, j) -= factor * right(k, j);
      }
    }
  }
  return right;
}

Outcome inverse(Call& call) {
  if (call[0].pose() != nullptr) return inverse_pose(call);
  auto matrix = matrix_of(call[0]);
  if (!matrix) return std::move(matrix).error();
  if (matrix->rows() != matrix->cols() || static_cast<std::size_t>(matrix->rows()) > largest_inverse) {
    return Error{Fault::invalid, fmt::format("expected a square matrix of at most {0}x{0}, got {1}x{2}",
                                             largest_inverse, matrix->rows(), matrix->cols())};
  }
  const auto inverted = inverse_of(*std::move(matrix));
  if (!inverted) return Error{Fault::invalid, "the matrix has no inverse"};
  return value_of(*inverted);
}

// A list is a row, and its transpose a column; a single column becomes a list again.
Outcome transposed(Call& call) {
  if (const std::vector<Value>* items = call[0].list();
      items != nullptr && !items->empty() && items->front().list() == nullptr) {
    std::vector<Value> column;
    column.reserve(items->size());
    for (const Value& item : *items) {
      auto row = Value::make_list({item});
      if (!row) return row;
      column.push_back(*std::move(row));
    }
    return Value::make_list(std::move(column));
  }
  auto matrix = matrix_of(call[0]);
  if (!matrix) return std::move(matrix).error();
  if (matrix->cols() == 1) return list_of_numbers(std::vector<double>(matrix->data(), matrix->data() + matrix->size()));
  return value_of(matrix->transpose());
}

Outcome make_list(Call& call) {
  auto count = integer_of(call[0]);
  if (!count) return std::move(count).error();
  if (*count < 0 || static_cast<std::size_t>(*count) > largest_list)
    return Error{Fault::invalid, fmt::format("a list of {} elements", *count)};
  return Value::make_list(std::vector<Value>(static_cast<std::size_t>(*count), call[1]));
}

}  // namespace

void add_lists(Builtins& builtins) {
  builtins.add("length", {"v"}, length);
  builtins.add("get_list_length", {"v"}, length);
  builtins.add("size", {"v"}, size);
  builtins.add("inv", {"m"}, inverse);
  builtins.add("transpose", {"m"}, transposed);
  builtins.add("make_list", {"length", Parameter("initial_value", 0), Parameter("capacity", 0)}, make_list);
}

}  // namespace tandem::urscript
