// SPDX-License-Identifier: Apache-2.0
// The cells of a register list, one by one: addresses, types, numbers and orders as people write them. All are total.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

struct AddressCell {
  std::uint32_t number = 0;
  int digits = 0;  // as written, decimal; 0: hexadecimal
  bool hexadecimal = false;
  int bit = -1;                      // "40021.3"
  std::uint32_t count = 1;           // "40001-40002": 2
  std::optional<ModbusTable> table;  // "HR12", "IR3"
};
std::optional<AddressCell> address_cell(std::string_view text);

// "holding", "3x", "FC 04", "Input Register", "R/W coil".
std::optional<ModbusTable> table_cell(std::string_view text);

struct TypeCell {
  Type type = Type::unknown;
  bool sized = false;                      // "uint32" and not only "unsigned"
  std::size_t length = 0;                  // of a text, bytes; 0: not said
  std::optional<modbus::WordOrder> order;  // "FLOAT CDAB"
};
std::optional<TypeCell> type_cell(std::string_view text);

// "0.1", "0,1", "x0.1", "1/10", "/10", "10^-1".
std::optional<double> scale_cell(std::string_view text, bool decimal_comma);
std::optional<double> number_cell(std::string_view text, bool decimal_comma);

struct OrderCell {
  modbus::WordOrder order = modbus::WordOrder::abcd;
  bool ambiguous = false;  // "little endian"
};
std::optional<OrderCell> order_cell(std::string_view text);

enum class Access : std::uint8_t { unknown, read, write, both };
Access access_cell(std::string_view text);

// Letters and digits in lower case, nothing else: for comparing words.
std::string bare_word(std::string_view text);

}  // namespace tandem::generic
