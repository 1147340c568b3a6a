// SPDX-License-Identifier: Apache-2.0
// Symbol entries and data type entries: how a PLC describes its variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::ads {

// The elementary type a symbol is made of.
enum class DataType : std::uint32_t {
  none = 0,
  int16 = 2,     // INT
  int32 = 3,     // DINT
  real32 = 4,    // REAL
  real64 = 5,    // LREAL
  int8 = 16,     // SINT
  uint8 = 17,    // USINT, BYTE
  uint16 = 18,   // UINT, WORD
  uint32 = 19,   // UDINT, DWORD
  int64 = 20,    // LINT
  uint64 = 21,   // ULINT
  string = 30,   // STRING
  wstring = 31,  // WSTRING
  real80 = 32,
  bit = 33,  // BOOL
  big = 65,  // structure, array, function block
};

// Bounds of one dimension of an array: ARRAY [start .. start + count - 1].
struct ArrayBounds {
  std::int32_t start = 0;
  std::uint32_t count = 0;
  friend bool operator==(const ArrayBounds&, const ArrayBounds&) = default;
};

namespace symbol_flag {
inline constexpr std::uint16_t persistent = 0x0001;
inline constexpr std::uint16_t bit_value = 0x0002;
inline constexpr std::uint16_t reference = 0x0004;
inline constexpr std::uint16_t type_guid = 0x0008;
inline constexpr std::uint16_t read_only = 0x0020;
}  // namespace symbol_flag

struct SymbolInfo {
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;  // bytes
  DataType data_type = DataType::none;
  std::uint16_t flags = 0;  // symbol_flag; without type_guid when written: no GUID follows
  std::string name;         // as declared: "MAIN.stEM1500Pose"; compared without regard to case
  std::string type;         // "ST_Pose"
  std::string comment;
  std::vector<ArrayBounds> bounds;  // one per dimension, none for what is no array
  friend bool operator==(const SymbolInfo&, const SymbolInfo&) = default;
};

namespace type_flag {
inline constexpr std::uint32_t data_type = 0x1;
inline constexpr std::uint32_t data_item = 0x2;  // a member of a structure
// What follows an entry; written as the lists in it say.
inline constexpr std::uint32_t guid = 0x80;
inline constexpr std::uint32_t copy_mask = 0x200;
inline constexpr std::uint32_t methods = 0x800;  // only function blocks have them
inline constexpr std::uint32_t attributes = 0x1000;
inline constexpr std::uint32_t enumeration = 0x2000;
}  // namespace type_flag

struct TypeInfo {
  std::uint32_t version = 1;
  std::uint32_t hash = 0;
  std::uint32_t type_hash = 0;
  std::uint32_t size = 0;    // bytes
  std::uint32_t offset = 0;  // in the structure it is a member of
  DataType data_type = DataType::none;
  std::uint32_t flags = type_flag::data_type;
  std::string name;
  std::string type;
  std::string comment;
  std::vector<ArrayBounds> bounds;
  std::vector<TypeInfo> members;
  std::vector<std::pair<std::string, std::string>> attributes{};    // {attribute 'name' := 'value'}
  std::vector<std::pair<std::string, std::int64_t>> enumeration{};  // its values by name
  friend bool operator==(const TypeInfo&, const TypeInfo&) = default;
};

void encode(ByteWriter& writer, const SymbolInfo& symbol);
void encode(ByteWriter& writer, const TypeInfo& type);

// The entry at the front of what is left, by its own length field; nothing, and a failed reader, when it does not add
// up. Also reads entries whose strings are separated by blanks or whose last NUL is missing, as some servers send them.
std::optional<SymbolInfo> take_symbol(ByteReader& reader);
std::optional<TypeInfo> take_type(ByteReader& reader);

// Entries back to back, to the last byte; nothing when one of them is broken.
std::optional<std::vector<SymbolInfo>> decode_symbols(Bytes bytes);
std::optional<std::vector<TypeInfo>> decode_types(Bytes bytes);

// "MAIN.stPose" and "main.STPOSE" are one name. ASCII only, as IEC 61131-3 identifiers are.
bool same_name(std::string_view a, std::string_view b);

}  // namespace tandem::ads
