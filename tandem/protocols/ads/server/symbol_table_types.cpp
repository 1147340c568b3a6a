// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/symbol_table_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace tandem::ads {
namespace {

constexpr std::uint64_t largest_type = 64u << 20;  // bytes

struct Elementary {
  const char* name;
  std::uint32_t size;
  DataType code;
};

constexpr Elementary elementary[] = {
    {"BOOL", 1, DataType::bit},     {"BIT", 1, DataType::bit},      {"BYTE", 1, DataType::uint8},
    {"USINT", 1, DataType::uint8},  {"SINT", 1, DataType::int8},    {"WORD", 2, DataType::uint16},
    {"UINT", 2, DataType::uint16},  {"INT", 2, DataType::int16},    {"DWORD", 4, DataType::uint32},
    {"UDINT", 4, DataType::uint32}, {"DINT", 4, DataType::int32},   {"LWORD", 8, DataType::uint64},
    {"ULINT", 8, DataType::uint64}, {"LINT", 8, DataType::int64},   {"REAL", 4, DataType::real32},
    {"LREAL", 8, DataType::real64}, {"TIME", 4, DataType::uint32},  {"TIME_OF_DAY", 4, DataType::uint32},
    {"TOD", 4, DataType::uint32},   {"DATE", 4, DataType::uint32},  {"DATE_AND_TIME", 4, DataType::uint32},
    {"DT", 4, DataType::uint32},    {"LTIME", 8, DataType::uint64},
};

std::uint64_t rounded_up(std::uint64_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

[[noreturn]] void refuse_type(std::string_view name, std::string_view why) {
  throw std::invalid_argument(fmt::format("PLC data type {}: {}", name, why));
}

// Eats an integer and the blanks around it.
bool take_number(std::string_view& text, std::int64_t& number) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  return true;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string folded(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return upper;
}

PlcTypes::PlcTypes() {
  for (const Elementary& e : elementary) keep({.name = e.name, .size = e.size, .alignment = e.size, .code = e.code});
}

const PlcType& PlcTypes::keep(PlcType type) {
  types_.push_back(std::move(type));
  by_name_[folded(types_.back().name)] = &types_.back();
  return types_.back();
}

const PlcType& PlcTypes::structure(const std::string& name, const std::vector<Field>& fields, std::uint32_t pack) {
  PlcType made{.name = name, .code = DataType::big};
  std::uint64_t size = 0;
  for (const Field& field : fields) {
    const PlcType& member = type(field.type);
    const std::uint32_t alignment = std::min(member.alignment, pack);
    size = rounded_up(size, alignment);
    made.members.push_back({field.name, &member, static_cast<std::uint32_t>(size), field.comment});
    made.alignment = std::max(made.alignment, alignment);
    size += member.size;
    if (size > largest_type) refuse_type(name, "larger than 64 MiB");
  }
  made.size = static_cast<std::uint32_t>(rounded_up(size, made.alignment));
  return keep(std::move(made));
}

const PlcType& PlcTypes::alias(const std::string& name, const std::string& base) {
  PlcType made = type(base);
  made.base = made.name;
  made.name = name;
  return keep(std::move(made));
}

const PlcType* PlcTypes::find(std::string_view name) const {
  const auto found = by_name_.find(folded(name));
  return found == by_name_.end() ? nullptr : found->second;
}

const PlcType& PlcTypes::type(std::string_view name) {
  const std::string key = folded(name);
  if (const auto found = by_name_.find(key); found != by_name_.end()) return *found->second;
  if (key.starts_with("ARRAY")) return array_type(name, key);
  if (key.starts_with("STRING") || key.starts_with("WSTRING")) return text_type(name, key);
  refuse_type(name, "not defined");
}

const PlcType& PlcTypes::text_type(std::string_view name, std::string_view key) {
  const bool wide = take(key, "W");
  take(key, "STRING");
  std::int64_t length = 80;
  if (take(key, "(") && !(take_number(key, length) && take(key, ")"))) refuse_type(name, "expected STRING(length)");
  if (!key.empty() || length < 1 || length > 65535) refuse_type(name, "expected STRING(1) to STRING(65535)");
  const auto characters = static_cast<std::uint32_t>(length) + 1;
  const std::string spelled = fmt::format("{}STRING({})", wide ? "W" : "", length);
  if (const PlcType* known = find(spelled)) return *known;
  return keep({.name = spelled,

               .size = wide ? characters * 2 : characters,
               .alignment = wide ? 2u : 1u,
               .code = wide ? DataType::wstring : DataType::string});
}

const PlcType& PlcTypes::array_type(std::string_view name, std::string_view key) {
  PlcType made;
  std::uint64_t count = 1;
  std::string ranges;
  const std::size_t whole = key.size();
  take(key, "ARRAY");
  while (take(key, " ")) {
  }
  if (!take(key, "[")) refuse_type(name, "expected ARRAY [first..last] OF type");
  do {
    std::int64_t first = 0;
    std::int64_t last = 0;
    if (!take_number(key, first) || !take(key, "..") || !take_number(key, last) || last < first ||
        first < std::numeric_limits<std::int32_t>::min() || last > std::numeric_limits<std::int32_t>::max())
      refuse_type(name, "expected a range first..last with first <= last");
    made.bounds.push_back({static_cast<std::int32_t>(first), static_cast<std::uint32_t>(last - first + 1)});
    ranges += fmt::format("{}{}..{}", ranges.empty() ? "" : ", ", first, last);
    count *= made.bounds.back().count;
    if (count > largest_type) refuse_type(name, "more than 2^26 elements");
  } while (take(key, ","));
  if (!take(key, "]") || !take(key, " OF ")) refuse_type(name, "expected ARRAY [first..last] OF type");

  const PlcType& element = type(name.substr(whole - key.size()));
  if (count * element.size > largest_type) refuse_type(name, "larger than 64 MiB");
  made.name = fmt::format("ARRAY [{}] OF {}", ranges, element.name);
  if (const PlcType* known = find(made.name); known && known->element == &element) return *known;
  made.size = static_cast<std::uint32_t>(count * element.size);
  made.alignment = element.alignment;
  made.code = element.code;
  made.element = &element;
  return keep(std::move(made));
}

std::vector<const PlcType*> PlcTypes::all() const {
  std::vector<const PlcType*> current;
  for (const PlcType& type : types_)
    if (find(type.name) == &type) current.push_back(&type);
  return current;
}

}  // namespace tandem::ads
