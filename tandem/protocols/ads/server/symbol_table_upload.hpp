// SPDX-License-Identifier: Apache-2.0
// What clients may learn of a symbol table: entries of its symbols and types, one by one or all in one piece.
#pragma once

#include <cstdint>
#include <vector>

#include "tandem/protocols/ads/codec/symbols.hpp"
#include "tandem/protocols/ads/server/symbol_table.hpp"

namespace tandem::ads {

std::uint32_t group_of(Area area);
SymbolInfo symbol_info(const Variable& variable);
TypeInfo type_info(const PlcType& type);

// Every entry back to back, as groups 0xF00B and 0xF00E give them.
struct Upload {
  std::uint32_t symbol_count = 0;
  std::uint32_t type_count = 0;
  std::vector<std::uint8_t> symbols;
  std::vector<std::uint8_t> types;  // only those that a symbol is made of
};
Upload upload_of(const SymbolTable& table);

}  // namespace tandem::ads
