// SPDX-License-Identifier: Apache-2.0
// The data types of a virtual PLC, laid out in memory as TwinCAT 3 lays them out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"

namespace tandem::ads {

struct PlcType;

struct Member {
  std::string name;
  const PlcType* type = nullptr;
  std::uint32_t offset = 0;  // in the structure, bytes
  std::string comment;
};

struct PlcType {
  std::string name;                      // as TwinCAT spells it: "LREAL", "ST_Pose", "ARRAY [0..5] OF LREAL"
  std::string base = {};                 // what an alias stands for; empty otherwise
  std::uint32_t size = 0;                // bytes
  std::uint32_t alignment = 1;           // bytes
  DataType code = DataType::none;        // of an array: its elements'
  std::vector<ArrayBounds> bounds = {};  // of an array
  const PlcType* element = nullptr;      // of an array
  std::vector<Member> members = {};      // of a structure
  std::string comment = {};
};

// Names are compared without regard to upper and lower case, as the PLC does.
std::string folded(std::string_view name);

class PlcTypes {
 public:
  struct Field {
    std::string name;
    std::string type;
    std::string comment = {};
  };

  PlcTypes();  // with the elementary types of IEC 61131-3
  PlcTypes(const PlcTypes&) = delete;
  PlcTypes& operator=(const PlcTypes&) = delete;

  // A structure whose members are aligned to their own size, at most to `pack` bytes (TwinCAT 3: 8). Defining a
  // name again replaces it for what is declared later. Throws std::invalid_argument for invalid types.
  const PlcType& structure(const std::string& name, const std::vector<Field>& fields, std::uint32_t pack = 8);
  // Another name for a type, such as an enumeration on INT.
  const PlcType& alias(const std::string& name, const std::string& base);

  // By name: an elementary type, one defined before, "STRING(80)", "ARRAY [0..5] OF LREAL". Strings and arrays
  // are made on first use. Throws std::invalid_argument for a name that means nothing.
  const PlcType& type(std::string_view name);
  // Only what is there already.
  const PlcType* find(std::string_view name) const;

  // Every type in the order in which it was made, without those that were replaced.
  std::vector<const PlcType*> all() const;

 private:
  const PlcType& keep(PlcType type);
  const PlcType& text_type(std::string_view name, std::string_view key);
  const PlcType& array_type(std::string_view name, std::string_view key);

  std::deque<PlcType> types_;  // never moves, never forgets: symbols point into it
  std::unordered_map<std::string, const PlcType*> by_name_;
};

}  // namespace tandem::ads
