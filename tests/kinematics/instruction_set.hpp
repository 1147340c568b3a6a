// SPDX-License-Identifier: Apache-2.0
// The kernels of one instruction set, for tests that run each alone.
#pragma once

#include <doctest/doctest.h>

#include <string>

// Of a list that ends with null. Without them the test case says that it was skipped, and gets null.
template <typename Kernels>
const Kernels* instruction_set(const Kernels* const* available, const std::string& name) {
  for (; *available != nullptr; ++available)
    if ((*available)->name == name) return *available;
  MESSAGE("skipped: this processor has no " << name);
  return nullptr;
}
