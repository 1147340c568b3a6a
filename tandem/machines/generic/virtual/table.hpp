// SPDX-License-Identifier: Apache-2.0
// A value as rows of time and value: lines between them or steps, once or again and again.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tandem/machines/generic/virtual/behaviour.hpp"

namespace tandem::generic {

using Rows = std::vector<std::pair<double, double>>;  // s, value; times rise

// Before the first row its value, behind the last one that one's.
double value_at(const Rows& rows, double t, bool hold);

// Throws std::invalid_argument for no rows, and for times that do not rise.
std::unique_ptr<Behaviour> make_table(const Sim& sim);
std::unique_ptr<Behaviour> make_table(Rows rows, bool hold, bool again);

}  // namespace tandem::generic
