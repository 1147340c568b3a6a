// SPDX-License-Identifier: Apache-2.0
// Which column of a register list holds what, by the words of its header.
#pragma once

#include <array>
#include <string>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/learn/csv.hpp"

namespace tandem::generic {

enum class Column : std::uint8_t {
  address,
  name,
  comment,
  table,
  type,
  words,
  scale,
  divisor,
  offset,
  unit,
  access,
  order,
};
inline constexpr std::size_t column_count = 12;

struct RegisterColumns {
  std::array<int, column_count> at{};  // -1: there is none
  std::size_t first_row = 1;           // below the header
  std::string found;                   // "address: 'Register', name: 'Tag'"
  std::string ignored;
};

// The header is among the first rows. The error lists what was there and what is known.
Result<RegisterColumns> find_columns(const CsvTable& table, const std::string& file);

}  // namespace tandem::generic
