// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "tandem/machines/generic/learn/plc_program.hpp"

namespace tandem::generic {
namespace {

constexpr int deepest_declaration = 12;  // structures within structures

// Of numbers, which are aligned to it; 0: not judged.
std::uint32_t number_size(const ads::TypeInfo& member) {
  switch (member.data_type) {
    case ads::DataType::int16:
    case ads::DataType::uint16:
      return 2;
    case ads::DataType::int32:
    case ads::DataType::uint32:
    case ads::DataType::real32:
      return 4;
    case ads::DataType::real64:
    case ads::DataType::int64:
    case ads::DataType::uint64:
      return 8;
    default:
      return 0;
  }
}

// Whether members are where TwinCAT 3 puts them by default; a file has no other way. True where sizes are unknown.
bool laid_out_by_default(const ads::TypeInfo& type) {
  for (std::size_t i = 1; i < type.members.size(); ++i) {
    const auto& before = type.members[i - 1];
    const auto& member = type.members[i];
    if (member.size == 0 || before.size == 0) return true;
    const std::uint64_t unit = number_size(member), end = std::uint64_t{before.offset} + before.size;
    if (unit != 0 && member.offset != (end + unit - 1) / unit * unit) return false;
  }
  return true;
}

class Declaring {
 public:
  explicit Declaring(const PlcTypeNames& types) : types_(types) {}

  bool declare(const ads::TypeInfo& type, int depth) {
    if (depth > deepest_declaration) return false;
    if (const auto known = done_.find(&type); known != done_.end()) return known->second;
    done_[&type] = false;
    PlcStructure structure{type.name, {}};
    bool good = laid_out_by_default(type);
    for (const ads::TypeInfo& member : type.members) {
      const PlcTypeText inner = types_.read(member.type);
      good = good && inner.kind != PlcTypeText::Kind::unreadable && inner.element != "BIT";
      if (good && inner.kind == PlcTypeText::Kind::structure) good = declare(*inner.info, depth + 1);
      structure.members.emplace_back(member.name, plain_type(inner));
    }
    done_[&type] = good;
    good ? out_.types.push_back(std::move(structure)) : out_.undeclared.push_back(type.name);
    return good;
  }
  DeclaredTypes take() {
    std::ranges::sort(out_.undeclared);
    return std::move(out_);
  }

 private:
  const PlcTypeNames& types_;
  std::unordered_map<const ads::TypeInfo*, bool> done_;
  DeclaredTypes out_;
};

}  // namespace

std::string plain_type(const PlcTypeText& type) {
  std::string out;
  if (!type.bounds.empty()) {
    out = "ARRAY [";
    for (std::size_t i = 0; i < type.bounds.size(); ++i) {
      const auto& bounds = type.bounds[i];
      out += fmt::format("{}{}..{}", i > 0 ? "," : "", bounds.start,
                         std::int64_t{bounds.start} + std::int64_t{bounds.count} - 1);
    }
    out += "] OF ";
  }
  return out + type.element;
}

DeclaredTypes declare_types(std::span<const ads::TypeInfo* const> used, const PlcTypeNames& types) {
  Declaring declaring(types);
  for (const ads::TypeInfo* type : used) declaring.declare(*type, 0);
  return declaring.take();
}

}  // namespace tandem::generic
