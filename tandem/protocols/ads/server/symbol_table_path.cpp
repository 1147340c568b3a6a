// SPDX-License-Identifier: Apache-2.0
// From a path such as "MAIN.rx.em1500.eta[3]" to the bytes it names.
#include <fmt/format.h>

#include <charconv>

#include "tandem/protocols/ads/server/symbol_table.hpp"

namespace tandem::ads {
namespace {

constexpr std::size_t longest_path = 512;

// ".name" at the front of the path.
bool step_into_member(std::string_view& path, Variable& at) {
  const std::size_t end = std::min(path.find_first_of(".[", 1), path.size());
  const std::string_view name = path.substr(1, end - 1);
  for (const Member& member : at.type->members) {
    if (!same_name(member.name, name)) continue;
    at.name += '.' + member.name;
    at.comment = member.comment;
    at.type = member.type;
    at.place.offset += member.offset;
    at.place.size = member.type->size;
    path.remove_prefix(end);
    return true;
  }
  return false;
}

// "[3]" or "[1,2]" at the front of the path.
bool step_into_element(std::string_view& path, Variable& at) {
  if (at.type->element == nullptr || !path.starts_with('[')) return false;
  std::uint64_t index = 0;
  std::string spelled;
  for (const ArrayBounds& dimension : at.type->bounds) {
    path.remove_prefix(1);  // the bracket or the comma
    while (path.starts_with(' ')) path.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    if (error != std::errc{} || number < dimension.start || number - dimension.start >= dimension.count) return false;
    path.remove_prefix(static_cast<std::size_t>(end - path.data()));
    while (path.starts_with(' ')) path.remove_prefix(1);
    const bool last = &dimension == &at.type->bounds.back();
    if (!path.starts_with(last ? ']' : ',')) return false;
    index = index * dimension.count + static_cast<std::uint64_t>(number - dimension.start);
    spelled += fmt::format("{}{}", spelled.empty() ? "" : ",", number);
  }
  path.remove_prefix(1);
  at.name += '[' + spelled + ']';
  at.type = at.type->element;
  at.place.offset += static_cast<std::uint32_t>(index * at.type->size);
  at.place.size = at.type->size;
  return true;
}

}  // namespace

std::optional<Variable> SymbolTable::find(std::string_view path) const {
  if (path.size() > longest_path) return std::nullopt;
  const std::string upper = folded(path);
  // Names of symbols have dots of their own: the longest that fits is the symbol, the rest leads into it.
  std::size_t length = path.size();
  while (length > 0 && length != std::string::npos) {
    const auto found = by_name_.find(upper.substr(0, length));
    if (found == by_name_.end()) {
      length = upper.find_last_of(".[", length - 1);
      continue;
    }
    const PlcSymbol& symbol = symbols_[found->second];
    Variable at{symbol.name, symbol.type, symbol.place, symbol.comment, symbol.flags, symbol.id};
    std::string_view rest = path.substr(length);
    while (!rest.empty()) {
      const bool stepped = rest.front() == '.' ? step_into_member(rest, at) : step_into_element(rest, at);
      if (!stepped) return std::nullopt;
    }
    return at;
  }
  return std::nullopt;
}

}  // namespace tandem::ads
