// SPDX-License-Identifier: Apache-2.0
// Types of a PLC that the file has itself: laid out as the virtual PLC will, and compared with the keys by member.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/ads_layout.hpp"
#include "tandem/machines/generic/schema/checks.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"

namespace tandem::generic {
namespace {

std::string_view own_name(std::string_view path) { return path.substr(path.rfind('.') + 1); }

void check_members(const Declaration& declaration, const PlcLayout& layout, Problems& problems) {
  std::vector<std::string_view> known;
  for (const PlcValue& value : layout.values) {
    const std::string_view name = own_name(value.member);
    if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
  for (const auto& [name, member] : declaration.members) {
    const bool found = std::any_of(layout.values.begin(), layout.values.end(), [&](const PlcValue& value) {
      return ads::same_name(value.member, name) || ads::same_name(own_name(value.member), name);
    });
    if (!found)
      problems.add(declaration.place, fmt::format("{}: no member '{}' in {}{}", declaration.name, printable(name),
                                                  declaration.plc_type, suggestion(name, known)));
  }
}

}  // namespace

void check_plc_types(const Description& description, const yaml::Place& types, Problems& problems) {
  if (description.protocol != Protocol::ads) return;
  const auto table = PlcTypeTable::declared(description.types);
  if (!table) return problems.add(types, "types: " + table.error().text);
  for (const Declaration& each : description.signals) {
    if (each.plc_type.empty() || each.members.empty() || each.hidden) continue;
    // Without all types in the file only the PLC knows.
    if (const auto layout = layout_of(each.plc_type, *table)) check_members(each, *layout, problems);
  }
}

}  // namespace tandem::generic
