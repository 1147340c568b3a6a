// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/register_tables.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace tandem::raptorlift {
namespace {

modbus::Register row_from(const Register& entry, modbus::WordOrder order, Ranges ranges) {
  modbus::Register row{
      .name = std::string(entry.name),
      .address = entry.address,
      .width = 32,
      .order = order,
      .encoding = entry.is_signed ? modbus::Encoding::signed_integer : modbus::Encoding::unsigned_integer,
      .scale = entry.scale,
      .direction = entry.sign < 0 ? -1 : 1,
      .unit = std::string(entry.unit)};
  if (ranges == Ranges::checked) row.range = modbus::Range{entry.lowest, entry.highest};
  return row;
}

}  // namespace

modbus::WordOrder word_order_of(const Description& description) {
  return modbus::word_order(description.plc.word_order).value_or(modbus::WordOrder::cdab);
}

modbus::RegisterTable command_table(const Description& description, Ranges ranges) {
  const modbus::WordOrder order = word_order_of(description);
  std::vector<modbus::Register> rows;
  for (const CommandRow& row : command_registers(description)) {
    rows.push_back(row_from(row.target, order, ranges));
    rows.push_back(row_from(row.torque, order, ranges));
  }
  return modbus::RegisterTable(std::move(rows));
}

modbus::RegisterTable feedback_table(const Description& description, Ranges ranges) {
  const modbus::WordOrder order = word_order_of(description);
  std::vector<modbus::Register> rows;
  for (const Register& row : feedback_registers(description)) rows.push_back(row_from(row, order, ranges));
  return modbus::RegisterTable(std::move(rows));
}

modbus::RegisterTable truth_table(const Description& description) {
  std::vector<modbus::Register> rows;
  for (std::size_t i = 0; i < truth::values; ++i)
    rows.push_back({.name = fmt::format("truth {}", i),
                    .address = static_cast<std::uint16_t>(truth::start + 2 * i),
                    .width = 32,
                    .order = word_order_of(description),
                    .scale = truth::scale});
  return modbus::RegisterTable(std::move(rows));
}

}  // namespace tandem::raptorlift
