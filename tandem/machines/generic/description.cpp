// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/description.hpp"

#include <fmt/format.h>

#include <array>

namespace tandem::generic {
namespace {

struct TypeRow {
  Type type;
  const char* name;
  std::size_t bytes;
};
constexpr std::array<TypeRow, 13> type_rows = {{{Type::unknown, "unknown", 0},
                                                {Type::bit, "bit", 1},
                                                {Type::int8, "int8", 1},
                                                {Type::uint8, "uint8", 1},
                                                {Type::int16, "int16", 2},
                                                {Type::uint16, "uint16", 2},
                                                {Type::int32, "int32", 4},
                                                {Type::uint32, "uint32", 4},
                                                {Type::int64, "int64", 8},
                                                {Type::uint64, "uint64", 8},
                                                {Type::float32, "float32", 4},
                                                {Type::float64, "float64", 8},
                                                {Type::text, "string", 0}}};

const TypeRow& row_of(Type type) { return type_rows[static_cast<std::size_t>(type)]; }

const char* table_name(ModbusTable table) {
  constexpr std::array<const char*, 4> names = {"coil", "discrete", "holding", "input"};
  return names[static_cast<std::size_t>(table)];
}

// 40001 counts from 1 behind the digit of the table; past 9999 with six digits.
std::string counted(const ModbusPlace& place, std::size_t last, int base) {
  const auto first = static_cast<std::size_t>(place.address);
  if (base != 40001) {
    const std::size_t shift = base == 1 ? 1 : 0;
    const std::string end = last > first ? fmt::format("-{}", last + shift) : "";
    return fmt::format("{} {}{}", table_name(place.table), first + shift, end);
  }
  constexpr std::array<int, 4> digits = {0, 1, 4, 3};
  const int digit = digits[static_cast<std::size_t>(place.table)];
  const int width = last + 1 > 9999 ? 5 : 4;
  const std::string begin = fmt::format("{}{:0{}}", digit, first + 1, width);
  return last > first ? fmt::format("{}-{}{:0{}}", begin, digit, last + 1, width) : begin;
}

}  // namespace

const char* name(Type type) { return row_of(type).name; }

std::optional<Type> type_named(std::string_view name) {
  for (const TypeRow& row : type_rows) {
    if (row.type != Type::unknown && row.name == name) return row.type;
  }
  return std::nullopt;
}

std::size_t bytes_of(Type type) { return row_of(type).bytes; }

std::string place_text(const At& at, std::size_t places, int base) {
  if (const auto* ads = std::get_if<AdsPlace>(&at)) return ads->symbol;
  const auto& place = std::get<ModbusPlace>(at);
  const std::string text = counted(place, place.address + (places == 0 ? 0 : places - 1), base);
  return place.bit < 0 ? text : fmt::format("{}.{}", text, place.bit);
}

std::size_t modbus_places(const Declaration& declaration) {
  const auto* place = std::get_if<ModbusPlace>(&declaration.at);
  if (place == nullptr) return 0;
  const bool coils = place->table == ModbusTable::coil || place->table == ModbusTable::discrete;
  if (coils) return declaration.count;
  if (place->bit >= 0) return (static_cast<std::size_t>(place->bit) + declaration.count + 15) / 16;
  const std::size_t bytes = declaration.type == Type::text ? declaration.text_length : bytes_of(declaration.type);
  return (bytes + 1) / 2 * declaration.count;
}

}  // namespace tandem::generic
