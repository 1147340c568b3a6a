// SPDX-License-Identifier: Apache-2.0
// Any type text and any table of types from the wire: a layout inside its symbol, or an error.
#include <cstdlib>
#include <string>
#include <vector>

#include "tandem/machines/generic/ads_signals.hpp"

namespace {

using namespace tandem;
using namespace tandem::generic;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const PlcLayout& layout) {
  require(layout.size <= largest_plc_symbol && layout.values.size() <= most_plc_values && !layout.values.empty());
  std::uint64_t end = 0;
  for (const PlcValue& value : layout.values) {
    require(value.offset >= end && value.count > 0 && value.stride > 0);
    end = value.offset + std::uint64_t{value.stride} * value.count;
    std::size_t count = 1;
    for (const auto& [first, number] : value.bounds) count *= number;
    require(count == value.count);
  }
  require(end <= layout.size);
  require(!difference(layout, layout));

  Description description;
  Declaration declaration;
  declaration.name = "x";
  declaration.at = AdsPlace{"MAIN.x"};
  description.signals.push_back(declaration);
  AdsSignals signals;
  if (!add_signals(description, 0, layout, signals)) return;
  require(signals.signals.size() == signals.fields.size() && signals.signals.size() <= most_signals);
  const std::vector<std::uint8_t> bytes(layout.size);
  for (std::size_t i = 0; i < signals.signals.size(); ++i) {
    const AdsField& field = signals.fields[i];
    const std::size_t elements = std::max<std::size_t>(1, signals.signals[i].count);
    require(field.offset + field.stride * elements <= bytes.size());
    if (field.type != Type::text) require(raw_number(field.type, bytes.data() + field.offset).value == 0);
  }
}

}  // namespace

// The text of a type, a line end, then what a PLC uploads; or, with one more line, structures of a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string text(input.substr(0, line));
  const std::string_view rest = input.substr(std::min(line + 1, input.size()));
  std::vector<ads::TypeInfo> types;
  ByteReader reader(as_bytes(rest));
  while (auto type = ads::take_type(reader)) {
    types.push_back(std::move(*type));
    if (reader.remaining() == 0) break;
  }
  if (const auto layout = layout_of(text, PlcTypeTable(types))) check(*layout);

  // "T.member TYPE", a line each.
  std::vector<PlcStructure> structures;
  for (std::string_view left = rest; !left.empty() && structures.size() < 50;) {
    const std::string_view row = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(row.size() + 1, left.size()));
    const std::size_t dot = row.find('.'), blank = row.find(' ');
    if (dot == std::string_view::npos || blank == std::string_view::npos || blank < dot) continue;
    const std::string name(row.substr(0, dot));
    if (structures.empty() || structures.back().name != name) structures.push_back({name, {}});
    structures.back().members.emplace_back(row.substr(dot + 1, blank - dot - 1), row.substr(blank + 1));
  }
  if (const auto table = PlcTypeTable::declared(structures))
    if (const auto layout = layout_of(text, *table)) check(*layout);
  return 0;
}
