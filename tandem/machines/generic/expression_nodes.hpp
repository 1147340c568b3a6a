// SPDX-License-Identifier: Apache-2.0
// What an expression is made of: shared by its parser and its evaluation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::generic {

inline constexpr std::size_t most_expression_nodes = 200;
inline constexpr int deepest_expression = 32;

enum class Operation : std::uint8_t {
  // without arguments
  number,
  value,
  before,
  rise,
  t,
  dt,
  noise,
  // of the values before them on the stack
  choose,
  either,
  both,
  inverse,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  abs,
  min,
  max,
  clamp,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  atan2,
  floor,
  round,
  sign,
  step,
  lerp,
};

}  // namespace tandem::generic
