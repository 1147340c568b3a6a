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

// "[1].fSpeed" of GVL.aBelt[1].fSpeed in GVL.aBelt; nothing for a symbol that is not inside.
std::optional<std::string_view> part_of(const Declaration& part, const Declaration& whole) {
  const std::string& inner = std::get<AdsPlace>(part.at).symbol;
  const std::string& outer = std::get<AdsPlace>(whole.at).symbol;
  if (inner.size() <= outer.size() || !ads::same_name(std::string_view(inner).substr(0, outer.size()), outer))
    return std::nullopt;
  const std::string_view rest = std::string_view(inner).substr(outer.size());
  if (rest.front() != '.' && rest.front() != '[') return std::nullopt;
  return rest;
}

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

// "fSpeed: LREAL, eState: INT": members that the file names, of this symbol's keys and of longer symbols.
std::string known_members(const Description& description, const Declaration& declaration) {
  std::vector<std::pair<std::string, std::string>> known;
  const auto add = [&](std::string_view path, const char* type) {
    const std::string name(path.substr(0, path.find_first_of(".[")));
    const bool again = std::ranges::any_of(known, [&](const auto& each) { return ads::same_name(each.first, name); });
    if (!name.empty() && !again) known.emplace_back(name, type);
  };
  for (const auto& [name, member] : declaration.members)
    add(name, !member.bits.empty() ? "UINT" : !member.names.empty() ? "INT" : "LREAL");
  for (const Declaration& other : description.signals) {
    const auto rest = part_of(other, declaration);
    if (!rest) continue;
    const std::size_t dot = rest->find('.');
    if (dot != std::string_view::npos) add(rest->substr(dot + 1), "LREAL");
  }
  std::string text;
  for (const auto& [name, type] : known) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, type);
  return text;
}

bool is_array(const Description& description, const Declaration& declaration) {
  return std::ranges::any_of(description.signals, [&](const Declaration& other) {
    const auto rest = part_of(other, declaration);
    return rest && rest->front() == '[';
  });
}

}  // namespace

std::optional<std::string> missing_plc_type(const Description& description, const Declaration& declaration) {
  if (declaration.hidden || declaration.type != Type::unknown || !declaration.plc_type.empty()) return std::nullopt;
  const std::string members = known_members(description, declaration);
  const bool array = is_array(description, declaration);
  if (members.empty() && !array) return std::nullopt;
  const std::string& symbol = std::get<AdsPlace>(declaration.at).symbol;
  const std::string element = members.empty() ? "LREAL" : "ST_" + declaration.name;
  const std::string type = array ? fmt::format("\"ARRAY [1..N] OF {}\"", element) : element;
  return fmt::format("{}: a virtual PLC cannot ask for the type of {}: expected `type: {}`{}", declaration.name,
                     printable(symbol), type,
                     members.empty() ? "" : fmt::format(" and `types: {{{}: {{{}}}}}`", element, members));
}

void check_virtual_plc(const Description& description, Problems& problems) {
  if (description.protocol != Protocol::ads) return;
  for (const Declaration& each : description.signals)
    if (const auto missing = missing_plc_type(description, each)) problems.add(each.place, *missing);
}

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
