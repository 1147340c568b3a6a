// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/values/arithmetic.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tandem::urscript {

namespace {

constexpr std::size_t largest_product = 1'000'000;  // multiplications in one product of matrices

Error cannot(Operator op, const Value& a, const Value& b) {
  return {Fault::invalid, fmt::format("'{}' cannot be applied to {} and {}", symbol(op), type_name(a), type_name(b))};
}

Error divided_by_zero(Operator op) { return {Fault::invalid, fmt::format("'{}' by zero", symbol(op))}; }

Result<Value> integers(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t answer = 0;
  if (op == Operator::add) answer = a + b;
  if (op == Operator::subtract) answer = a - b;
  if (op == Operator::multiply) answer = a * b;
  if (op == Operator::modulo) {
    if (b == 0) return divided_by_zero(op);
    answer = a % b;
  }
  if (answer < INT32_MIN || answer > INT32_MAX) {
    return Error{Fault::invalid, fmt::format("integer overflow: {} {} {} does not fit in 32 bits", a, symbol(op), b)};
  }
  return Value(static_cast<std::int32_t>(answer));
}

Result<Value> numbers(Operator op, const Value& a, const Value& b) {
  if (op != Operator::divide && a.integer() != nullptr && b.integer() != nullptr) {
    return integers(op, *a.integer(), *b.integer());
  }
  const double x = *number_of(a);
  const double y = *number_of(b);
  switch (op) {
    case Operator::add:
      return Value(x + y);
    case Operator::subtract:
      return Value(x - y);
    case Operator::multiply:
      return Value(x * y);
    case Operator::divide:
      return y == 0.0 ? Result<Value>(divided_by_zero(op)) : Result<Value>(x / y);
    default:
      return y == 0.0 ? Result<Value>(divided_by_zero(op)) : Result<Value>(std::fmod(x, y));
  }
}

bool is_matrix(const Value& value) {
  return value.list() != nullptr && !value.list()->empty() && value.list()->front().list() != nullptr;
}

Result<Value> elementwise(Operator op, const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) {
    return Error{Fault::invalid,
                 fmt::format("'{}' of lists of different length: {} and {}", symbol(op), a.size(), b.size())};
  }
  std::vector<Value> items;
  items.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto item = apply(op, a[i], b[i]);
    if (!item) return item;
    items.push_back(*std::move(item));
  }
  return Value::make_list(std::move(items));
}

Result<Value> with_each(Operator op, const Value& a, const Value& b) {
  const bool list_first = a.list() != nullptr;
  const std::vector<Value>& list = list_first ? *a.list() : *b.list();
  std::vector<Value> items;
  items.reserve(list.size());
  for (const Value& each : list) {
    auto item = list_first ? apply(op, each, b) : apply(op, a, each);
    if (!item) return item;
    items.push_back(*std::move(item));
  }
  return Value::make_list(std::move(items));
}

Result<Value> dot(const std::vector<Value>& row, const std::vector<Value>& other) {
  Value sum(std::int32_t{0});
  for (std::size_t i = 0; i < row.size(); ++i) {
    auto term = apply(Operator::multiply, row[i], other[i]);
    if (!term) return term;
    auto next = apply(Operator::add, sum, *term);
    if (!next) return next;
    sum = *std::move(next);
  }
  return sum;
}

Result<Value> matrix_by_list(const std::vector<Value>& rows, const std::vector<Value>& list) {
  std::vector<Value> items;
  for (const Value& row : rows) {
    if (row.list() == nullptr || row.list()->size() != list.size()) {
      return Error{Fault::invalid,
                   fmt::format("'*' of a matrix and a list of {}: every row needs as many", list.size())};
    }
    auto item = dot(*row.list(), list);
    if (!item) return item;
    items.push_back(*std::move(item));
  }
  return Value::make_list(std::move(items));
}

Result<Value> matrix_by_matrix(const std::vector<Value>& a, const std::vector<Value>& b) {
  const std::size_t width = b.front().list()->size();
  if (a.size() * width > largest_list || a.size() * b.size() * width > largest_product)
    return Error{Fault::invalid, "'*' of matrices that are too large"};
  std::vector<Value> columns;
  for (std::size_t j = 0; j < width; ++j) {
    std::vector<Value> column;
    for (const Value& row : b) {
      if (row.list() == nullptr || row.list()->size() != width)
        return Error{Fault::invalid, "the rows of a matrix differ in length"};
      column.push_back((*row.list())[j]);
    }
    auto product = matrix_by_list(a, column);
    if (!product) return product;
    columns.push_back(*std::move(product));
  }
  std::vector<Value> rows;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<Value> row;
    for (const Value& column : columns) row.push_back((*column.list())[i]);
    auto made = Value::make_list(std::move(row));
    if (!made) return made;
    rows.push_back(*std::move(made));
  }
  return Value::make_list(std::move(rows));
}

Result<Value> lists(Operator op, const Value& a, const Value& b) {
  if (op == Operator::multiply && is_matrix(a) && b.list() != nullptr) {
    return is_matrix(b) ? matrix_by_matrix(*a.list(), *b.list()) : matrix_by_list(*a.list(), *b.list());
  }
  if (a.list() != nullptr && b.list() != nullptr) return elementwise(op, *a.list(), *b.list());
  if (a.is_number() || b.is_number()) return with_each(op, a, b);
  return cannot(op, a, b);
}

Result<Value> compared(Operator op, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return cannot(op, a, b);
  const double x = *number_of(a);
  const double y = *number_of(b);
  switch (op) {
    case Operator::less:
      return Value(x < y);
    case Operator::less_equal:
      return Value(x <= y);
    case Operator::greater:
      return Value(x > y);
    default:
      return Value(x >= y);
  }
}

}  // namespace

const char* symbol(Operator op) {
  static constexpr const char* symbols[] = {"+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "xor"};
  return symbols[static_cast<std::size_t>(op)];
}

Result<Value> apply(Operator op, const Value& a, const Value& b) {
  if (op == Operator::equal) return Value(equal(a, b));
  if (op == Operator::not_equal) return Value(!equal(a, b));
  if (op == Operator::exclusive_or) {
    auto x = condition_of(a);
    auto y = condition_of(b);
    if (!x || !y) return cannot(op, a, b);
    return Value(*x != *y);
  }
  if (op >= Operator::less) return compared(op, a, b);
  if (a.is_number() && b.is_number()) return numbers(op, a, b);
  if (op == Operator::add && a.text() != nullptr && b.text() != nullptr) return Value::make_text(*a.text() + *b.text());
  if (a.list() != nullptr || b.list() != nullptr) return lists(op, a, b);
  return cannot(op, a, b);
}

Result<Value> negated(const Value& value) {
  if (value.integer() != nullptr || value.list() != nullptr)
    return apply(Operator::multiply, Value(std::int32_t{-1}), value);
  if (const double* number = value.floating()) return Value(-*number);
  return Error{Fault::invalid, fmt::format("'-' cannot be applied to {}", type_name(value))};
}

}  // namespace tandem::urscript
