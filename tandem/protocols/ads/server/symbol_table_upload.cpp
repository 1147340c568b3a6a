// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/symbol_table_upload.hpp"

#include <unordered_set>

#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {
namespace {

// A member's type name leads the client to the entry of that type.
TypeInfo member_info(const Member& member) {
  TypeInfo info;
  info.size = member.type->size;
  info.offset = member.offset;
  info.data_type = member.type->code;
  info.flags = type_flag::data_item;
  info.name = member.name;
  info.type = member.type->name;
  info.comment = member.comment;
  return info;
}

void collect(const PlcType* type, std::unordered_set<const PlcType*>& used) {
  if (!used.insert(type).second) return;
  if (type->element != nullptr) collect(type->element, used);
  for (const Member& member : type->members) collect(member.type, used);
}

}  // namespace

std::uint32_t group_of(Area area) {
  switch (area) {
    case Area::memory:
      return group::memory;
    case Area::data:
      return group::data;
    case Area::inputs:
      return group::input;
    case Area::outputs:
      return group::output;
  }
  return 0;
}

SymbolInfo symbol_info(const Variable& variable) {
  SymbolInfo info;
  info.group = group_of(variable.place.area);
  info.offset = variable.place.offset;
  info.size = variable.place.size;
  info.data_type = variable.type->code;
  info.flags = variable.flags;
  info.name = variable.name;
  info.type = variable.type->name;
  info.comment = variable.comment;
  return info;
}

TypeInfo type_info(const PlcType& type) {
  TypeInfo info;
  info.size = type.size;
  info.data_type = type.code;
  info.name = type.name;
  info.type = type.element != nullptr ? type.element->name : type.base;
  info.comment = type.comment;
  info.bounds = type.bounds;
  for (const Member& member : type.members) info.members.push_back(member_info(member));
  return info;
}

Upload upload_of(const SymbolTable& table) {
  Upload upload;
  std::unordered_set<const PlcType*> used;
  ByteWriter symbols(upload.symbols);
  for (const PlcSymbol& symbol : table.symbols()) {
    encode(symbols, symbol_info({symbol.name, symbol.type, symbol.place, symbol.comment, symbol.flags, symbol.id}));
    ++upload.symbol_count;
    collect(symbol.type, used);
  }
  ByteWriter types(upload.types);
  for (const PlcType* type : table.types().all()) {
    if (!used.contains(type)) continue;
    encode(types, type_info(*type));
    ++upload.type_count;
  }
  return upload;
}

}  // namespace tandem::ads
