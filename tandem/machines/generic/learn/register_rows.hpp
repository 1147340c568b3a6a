// SPDX-License-Identifier: Apache-2.0
// The rows of a register list that have an address, and how those addresses count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/learn/register_cells.hpp"
#include "tandem/machines/generic/learn/register_columns.hpp"

namespace tandem::generic {

struct RegisterRow {
  int line = 0;  // in the file
  AddressCell address;
  std::optional<ModbusTable> table;  // as the row itself says
  const CsvRow* row = nullptr;

  std::string cell(const RegisterColumns& columns, Column column) const;
};

struct RegisterRows {
  std::vector<RegisterRow> rows;
  std::vector<std::string> complaints;  // "line 6: expected an address, got 'none'"
  int base = 0;                         // 0, 1 or 40001
};

// 40001, 30017, 10001 with five digits or six; and 00001 of coils, which has its zeros.
bool names_its_table(const AddressCell& address, int digits);

// The table must outlive what is given. `base`: 0, 1 or 40001; none: as the addresses look.
Result<RegisterRows> read_rows(const CsvTable& table, const RegisterColumns& columns, const std::string& file,
                               std::optional<int> base);

}  // namespace tandem::generic
