// SPDX-License-Identifier: Apache-2.0
// The operators of URScript on its values.
#pragma once

#include "tandem/urscript/values/value.hpp"

namespace tandem::urscript {

enum class Operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  exclusive_or
};

const char* symbol(Operator op);

// Integers stay integers under + - * % while the answer fits in 32 bits; / always gives a float. Lists of one
// length go element by element, a number goes with every element, and two matrices (or a matrix and a list) multiply.
Result<Value> apply(Operator op, const Value& a, const Value& b);
Result<Value> negated(const Value& value);

}  // namespace tandem::urscript
