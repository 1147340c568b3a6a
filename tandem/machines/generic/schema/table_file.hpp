// SPDX-License-Identifier: Apache-2.0
// Tables of `sim` in files of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::generic {

inline constexpr std::size_t most_table_rows = 10'000;

// A CSV file of time (s) and value, comma, semicolon or tab between them; a first line without numbers is skipped.
// `path` counts from the folder of `file`.
Result<std::vector<std::pair<double, double>>> table_file(const std::string& path, const std::string& file);

}  // namespace tandem::generic
