// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/register_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/generic/learn/proposal.hpp"

namespace tandem::generic {
namespace {

void take_rows(const CsvTable& table, const RegisterColumns& columns, RegisterRows& out) {
  for (std::size_t i = columns.first_row; i < table.rows.size(); ++i) {
    const CsvRow& row = table.rows[i];
    RegisterRow entry{row.line, {}, {}, &row};
    const std::string text = entry.cell(columns, Column::address);
    if (text.empty()) continue;
    const auto address = address_cell(text);
    if (!address) {
      out.complaints.push_back(fmt::format("line {}: expected an address, got '{}'", row.line, one_line(text, 40)));
      continue;
    }
    entry.address = *address;
    entry.table = address->table;
    if (!entry.table) entry.table = table_cell(entry.cell(columns, Column::table));
    out.rows.push_back(entry);
  }
  // Spreadsheets write 40001 as 40001.0.
  const bool all_zero = std::ranges::all_of(out.rows, [](const RegisterRow& each) { return each.address.bit <= 0; });
  const bool several = out.rows.size() > 1 &&
                       std::ranges::all_of(out.rows, [](const RegisterRow& each) { return each.address.bit == 0; });
  if (all_zero && several) {
    for (RegisterRow& each : out.rows) each.address.bit = -1;
  }
}

Result<void> choose_base(const std::string& file, std::optional<int> given, RegisterRows& out) {
  const bool any_hex = std::ranges::any_of(out.rows, [](const RegisterRow& each) { return each.address.hexadecimal; });
  const auto all = [&](int digits) {
    return std::ranges::all_of(out.rows,
                               [&](const RegisterRow& each) {
                                 const bool coil = each.table == ModbusTable::coil && each.address.digits < 5;
                                 return coil || names_its_table(each.address, digits);
                               }) &&
           std::ranges::any_of(out.rows, [&](const RegisterRow& each) {
             return each.address.digits == digits && each.address.number >= (digits == 5 ? 10'000U : 100'000U);
           });
  };
  if (given) {
    out.base = *given;
  } else if (!any_hex && (all(5) || all(6))) {
    out.base = 40001;
  }
  if (out.base == 40001) return {};
  const auto mixed = std::ranges::find_if(out.rows, [&](const RegisterRow& each) {
    return !each.address.hexadecimal && each.address.number > 40000 && names_its_table(each.address, 5);
  });
  const auto small =
      std::ranges::find_if(out.rows, [](const RegisterRow& each) { return each.address.number < 10'000; });
  if (!given && mixed != out.rows.end() && small != out.rows.end()) {
    return Error{Fault::invalid,
                 fmt::format("{}: expected addresses that all count alike, got {} in line {} and {} in line {}; say "
                             "how they count with --base 0, 1 or 40001",
                             file, mixed->address.number, mixed->line, small->address.number, small->line)};
  }
  const auto zero = std::ranges::find(out.rows, 0U, [](const RegisterRow& each) { return each.address.number; });
  if (out.base == 1 && zero != out.rows.end()) {
    return Error{Fault::invalid, fmt::format("{}:{}: expected addresses from 1 (--base 1), got 0", file, zero->line)};
  }
  return {};
}

}  // namespace

std::string RegisterRow::cell(const RegisterColumns& columns, Column column) const {
  const int at = columns.at[static_cast<std::size_t>(column)];
  return at < 0 || static_cast<std::size_t>(at) >= row->cells.size() ? "" : row->cells[static_cast<std::size_t>(at)];
}

bool names_its_table(const AddressCell& address, int digits) {
  if (address.hexadecimal || address.table || address.digits != digits) return false;
  const std::uint32_t unit = digits == 5 ? 10'000 : 100'000, first = address.number / unit;
  return (first == 0 || first == 1 || first == 3 || first == 4) && address.number % unit != 0;
}

Result<RegisterRows> read_rows(const CsvTable& table, const RegisterColumns& columns, const std::string& file,
                               std::optional<int> base) {
  RegisterRows out;
  take_rows(table, columns, out);
  if (out.rows.empty()) {
    const std::string why = out.complaints.empty() ? "no rows below the header" : out.complaints.front();
    return Error{Fault::invalid, fmt::format("{}: expected rows with an address, got none ({})", file, why)};
  }
  if (auto good = choose_base(file, base, out); !good) return std::move(good).error();
  return out;
}

}  // namespace tandem::generic
