// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "tandem/base/text.hpp"
#include "tandem/machines/generic/learn/characters.hpp"
#include "tandem/machines/generic/learn/plc_program.hpp"

namespace tandem::generic {
namespace {

using ascii::in_upper_case;

constexpr int deepest_alias = 16;  // aliases of aliases, arrays of arrays

bool is_elementary(std::string_view key) {
  static constexpr std::array<std::string_view, 24> names = {
      "BOOL",  "SINT",  "USINT", "BYTE",  "INT",         "UINT", "WORD",          "DINT",
      "UDINT", "DWORD", "LINT",  "ULINT", "LWORD",       "REAL", "LREAL",         "TIME",
      "TOD",   "DATE",  "DT",    "LTIME", "TIME_OF_DAY", "BIT",  "DATE_AND_TIME", "BOOL"};
  return std::ranges::find(names, key) != names.end();
}

bool is_text(std::string_view key) {
  return key == "STRING" || key.starts_with("STRING(") || key.starts_with("STRING[");
}

// "ARRAY [1..4, 0..2] OF REST": the bounds, and the text is REST afterwards.
bool take_array(std::string_view& text, std::vector<ads::ArrayBounds>& bounds) {
  const std::string key = in_upper_case(text.substr(0, 6));
  if (!key.starts_with("ARRAY") || (key.size() > 5 && key[5] != ' ' && key[5] != '[')) return false;
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == text.npos || close == text.npos || close < open) return false;
  const std::string_view rest = trimmed(text.substr(close + 1));
  if (!in_upper_case(rest.substr(0, 3)).starts_with("OF ")) return false;
  std::string_view list = text.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view one = trimmed(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    const std::size_t dots = one.find("..");
    if (dots == one.npos) return false;
    const std::string_view low = trimmed(one.substr(0, dots)), high = trimmed(one.substr(dots + 2));
    std::int32_t first = 0, last = 0;
    const auto whole = [](std::string_view number, std::int32_t& value) {
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
      return error == std::errc() && end == number.data() + number.size();
    };
    if (!whole(low, first) || !whole(high, last) || last < first) return false;
    bounds.push_back({first, static_cast<std::uint32_t>(std::int64_t{last} - first + 1)});
  }
  text = trimmed(rest.substr(3));
  return !bounds.empty();
}

bool has_pou_type(const ads::TypeInfo& type) {
  return std::ranges::any_of(type.attributes, [](const auto& each) {
    return ads::same_name(each.first, "PouType") && ads::same_name(each.second, "FunctionBlock");
  });
}

}  // namespace

PlcTypeNames::PlcTypeNames(const std::vector<ads::TypeInfo>& types) {
  for (const ads::TypeInfo& type : types) by_name_.insert_or_assign(in_upper_case(type.name), &type);
}

PlcTypeText PlcTypeNames::read(std::string_view type) const {
  PlcTypeText out;
  std::string name(trimmed(type));
  const auto unreadable = [&out](std::string why) {
    out.kind = PlcTypeText::Kind::unreadable;
    out.why = std::move(why);
    return out;
  };
  for (int depth = 0; depth < deepest_alias; ++depth) {
    std::string_view rest = name;
    if (take_array(rest, out.bounds)) {
      name = std::string(rest);
      continue;
    }
    const std::string key = in_upper_case(name);
    if (key.starts_with("POINTER TO ") || key == "PVOID" || key == "POINTER") return unreadable("pointers");
    if (key.starts_with("REFERENCE TO ")) return unreadable("references");
    if (is_elementary(key) || is_text(key)) {
      out.kind = is_text(key) ? PlcTypeText::Kind::text : PlcTypeText::Kind::elementary;
      out.element = key;
      return out;
    }
    if (key.starts_with("WSTRING")) return unreadable("WSTRING");
    const auto found = by_name_.find(key);
    if (found == by_name_.end()) return unreadable("types that are not described");
    const ads::TypeInfo& info = *found->second;
    if (!info.members.empty()) {
      out.kind = PlcTypeText::Kind::structure;
      out.element = info.name;
      out.info = &info;
      return out;
    }
    if (!info.enumeration.empty()) out.info = &info;
    out.bounds.insert(out.bounds.end(), info.bounds.begin(), info.bounds.end());
    if (info.type.empty() || in_upper_case(info.type) == key) return unreadable("types that are not described");
    name = info.type;
  }
  return unreadable("types that are not described");
}

bool is_function_block(const ads::TypeInfo& type) {
  static constexpr std::array<std::string_view, 18> standard = {"TON",    "TOF",    "TP",  "CTU", "CTD",   "CTUD",
                                                                "R_TRIG", "F_TRIG", "SR",  "RS",  "SEMA",  "RTC",
                                                                "LTON",   "LTOF",   "LTP", "PID", "BLINK", "TIMER"};
  if (has_pou_type(type) || (type.flags & ads::type_flag::methods) != 0) return true;
  const std::string key = in_upper_case(type.name);
  const std::string_view own = std::string_view(key).substr(key.rfind('.') + 1);  // without its library
  if (own.starts_with("FB_") || std::ranges::find(standard, own) != standard.end()) return true;
  return std::ranges::any_of(type.members, [](const auto& member) { return member.name.starts_with("__"); });
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || ascii::upper(pattern[p]) == ascii::upper(text[t]))) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace tandem::generic
