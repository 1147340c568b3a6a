// SPDX-License-Identifier: Apache-2.0
// Errors of the library on their way to Python: thrown here, made an exception by tandem/errors.py.
#pragma once

#include <exception>
#include <utility>

#include "tandem/base/result.hpp"

namespace tandem::python {

struct Failure final : std::exception {
  explicit Failure(Error error_, bool opening_ = false) : error(std::move(error_)), opening(opening_) {}
  const char* what() const noexcept override { return error.text.c_str(); }

  Error error;
  bool opening;  // while connecting
};

template <typename T>
T unwrapped(Result<T> result) {
  if (!result) throw Failure(std::move(result).error());
  return std::move(result).value();
}
inline void unwrapped(Result<void> result) {
  if (!result) throw Failure(std::move(result).error());
}

}  // namespace tandem::python
