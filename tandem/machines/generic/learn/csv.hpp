// SPDX-License-Identifier: Apache-2.0
// Tables as spreadsheets write them: rows of texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::generic {

struct CsvRow {
  int line = 0;  // in the file, from 1
  std::vector<std::string> cells;
};

struct CsvTable {
  char separator = ',';  // ',', ';' or a tab
  std::vector<CsvRow> rows;
};

inline constexpr std::size_t largest_csv = 8u << 20;  // bytes
inline constexpr std::size_t most_csv_rows = 20'000;
inline constexpr std::size_t most_csv_cells = 64;  // of a row

// Any bytes. Quoted cells may hold separators, quotes in pairs and line ends; texts come out as UTF-8, one line each,
// without blanks at the ends. The separator is the one that gives most rows the same number of cells.
Result<CsvTable> read_csv(std::string_view text, const std::string& file);

}  // namespace tandem::generic
