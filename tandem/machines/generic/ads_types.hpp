// SPDX-License-Identifier: Apache-2.0
// The data types of a PLC by name, as it has uploaded them or as a file declares them, and what each text means.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/description.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"

namespace tandem::ads {
class PlcTypes;
}  // namespace tandem::ads

namespace tandem::generic {

inline constexpr int deepest_plc_type = 16;                    // arrays and structures within each other
inline constexpr std::uint32_t largest_plc_symbol = 1u << 20;  // bytes, in one transfer
inline constexpr std::size_t longest_plc_type_text = 512;      // characters

// What the text of a type stands for, one step down.
struct PlcShape {
  enum class Kind : std::uint8_t { number, text, array, structure, unsupported };
  Kind kind = Kind::unsupported;
  Type type = Type::unknown;             // of a number
  std::uint32_t size = 0;                // bytes; 0: unknown
  std::size_t text_length = 0;           // of a text, bytes without its NUL
  std::vector<ads::ArrayBounds> bounds;  // of an array
  std::string element;                   // of an array: the text of its elements' type
  const ads::TypeInfo* info = nullptr;   // of a structure
  std::string why;                       // unsupported: "WSTRING is not supported"
};

// Names are compared without regard to upper and lower case.
class PlcTypeTable {
 public:
  PlcTypeTable() = default;
  explicit PlcTypeTable(std::vector<ads::TypeInfo> uploaded);

  // Structures of a file, laid out as TwinCAT 3 does: members aligned to their size, at most to 8 bytes. An error names
  // the structure and what is wrong with it.
  static Result<PlcTypeTable> declared(std::span<const PlcStructure> structures);

  void add(ads::TypeInfo type);
  const ads::TypeInfo* find(std::string_view name) const;
  // Total: any text, any table. An error for a name that means nothing.
  Result<PlcShape> shape(std::string_view type) const;

 private:
  Result<PlcShape> shape(std::string_view type, int depth) const;
  Result<PlcShape> shape_of(const ads::TypeInfo& info, int depth) const;

  std::unordered_map<std::string, ads::TypeInfo> types_;  // by folded name
};

// Declares them for a virtual PLC, each after those that it is made of.
Result<void> declare_types(std::span<const PlcStructure> structures, ads::PlcTypes& types);

// The text of the innermost elements' type: "REAL" of "ARRAY [1..2] OF ARRAY [0..3] OF REAL".
std::string_view innermost_plc_type(std::string_view type);
// One blank where there are several, none at the ends.
std::string normal_plc_type(std::string_view type);
// The same type but for upper and lower case and blanks.
bool same_plc_type(std::string_view a, std::string_view b);
// "float32" -> "REAL", as TwinCAT calls it; texts as "STRING(80)". Empty for unknown.
std::string plc_name(Type type, std::size_t text_length);

}  // namespace tandem::generic
