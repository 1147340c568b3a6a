// SPDX-License-Identifier: Apache-2.0
// The variables and types of a PLC program, from the PLC or from a file of its project, and the signals they make.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"

namespace tandem::generic {

struct PlcProgram {
  std::vector<ads::SymbolInfo> symbols;
  std::vector<ads::TypeInfo> types;
  std::string origin;  // "ads://192.168.1.15, TwinCAT 3.1.4024" or a file
  std::string net_id;  // of the PLC, as files know it; empty: unknown
  int ams_port = 0;    // 0: unknown
};

struct PlcSelection {
  std::vector<std::string> match;  // globs over paths, '*' also across dots, upper and lower case alike; none: all
  std::string machine = "plc";
  std::string device;  // URL
};

// One signal for each variable that can be read; structures and arrays of them whole. Fault::unsupported with the tree
// of names and their counts when there are more than one file holds.
Result<ProposedDevice> propose(const PlcProgram& program, const PlcSelection& selection);

// What a type name leads to.
struct PlcTypeText {
  enum class Kind : std::uint8_t { elementary, text, structure, unreadable };
  Kind kind = Kind::unreadable;
  std::vector<ads::ArrayBounds> bounds;  // all dimensions, outer first; none: no array
  std::string element;                   // innermost, in upper case where it is elementary: "REAL", "ST_Belt"
  const ads::TypeInfo* info = nullptr;   // of a structure, an enumeration or an alias
  std::string why;                       // unreadable: "a pointer"
};

// Total: any names, any table, cycles too.
class PlcTypeNames {
 public:
  explicit PlcTypeNames(const std::vector<ads::TypeInfo>& types);
  PlcTypeText read(std::string_view type) const;

 private:
  std::unordered_map<std::string, const ads::TypeInfo*> by_name_;
};

// What the type is in a file that has no enumerations and aliases: "ARRAY [1..2] OF INT".
std::string plain_type(const PlcTypeText& type);

// The structures that signals are made of, each after its own parts, and the names of those that a file cannot declare:
// they are left to the PLC.
struct DeclaredTypes {
  std::vector<PlcStructure> types;
  std::vector<std::string> undeclared;
};
DeclaredTypes declare_types(std::span<const ads::TypeInfo* const> used, const PlcTypeNames& types);

bool is_function_block(const ads::TypeInfo& type);
// '*' and '?'; upper and lower case alike.
bool matches_glob(std::string_view pattern, std::string_view text);

// The names by their parts with counts, the largest first: "  GVL  3200  --match 'GVL.*'".
std::string name_tree(const std::vector<std::string>& paths);

}  // namespace tandem::generic
