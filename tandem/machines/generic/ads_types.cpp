// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ads_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>

#include "tandem/base/nearest.hpp"
#include "tandem/protocols/ads/server/symbol_table_types.hpp"
#include "tandem/protocols/ads/server/symbol_table_upload.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_structures = 1000;
constexpr std::uint32_t type_reference = 0x4;  // flag of a type entry

struct Elementary {
  std::string_view name;
  Type type;
};
constexpr Elementary elementary[] = {
    {"BOOL", Type::bit},      {"SINT", Type::int8},
    {"USINT", Type::uint8},   {"BYTE", Type::uint8},
    {"INT", Type::int16},     {"UINT", Type::uint16},
    {"WORD", Type::uint16},   {"DINT", Type::int32},
    {"UDINT", Type::uint32},  {"DWORD", Type::uint32},
    {"LINT", Type::int64},    {"ULINT", Type::uint64},
    {"LWORD", Type::uint64},  {"REAL", Type::float32},
    {"LREAL", Type::float64}, {"TIME", Type::uint32},
    {"TOD", Type::uint32},    {"DATE", Type::uint32},
    {"DT", Type::uint32},     {"TIME_OF_DAY", Type::uint32},
    {"LTIME", Type::uint64},  {"DATE_AND_TIME", Type::uint32},
};

constexpr struct {
  ads::DataType code;
  Type type;
} codes[] = {
    {ads::DataType::bit, Type::bit},        {ads::DataType::int8, Type::int8},
    {ads::DataType::uint8, Type::uint8},    {ads::DataType::int16, Type::int16},
    {ads::DataType::uint16, Type::uint16},  {ads::DataType::int32, Type::int32},
    {ads::DataType::uint32, Type::uint32},  {ads::DataType::int64, Type::int64},
    {ads::DataType::uint64, Type::uint64},  {ads::DataType::real32, Type::float32},
    {ads::DataType::real64, Type::float64},
};

std::uint32_t size_of(Type type) { return static_cast<std::uint32_t>(bytes_of(type)); }

PlcShape number(Type type) {
  PlcShape shape;
  shape.kind = PlcShape::Kind::number;
  shape.type = type;
  shape.size = size_of(type);
  return shape;
}

PlcShape unsupported(std::string_view type, std::uint32_t size) {
  PlcShape shape;
  shape.size = size;
  shape.why = fmt::format("{} is not supported", printable(type));
  return shape;
}

std::optional<Type> elementary_type(std::string_view key) {
  for (const Elementary& each : elementary)
    if (each.name == key) return each.type;
  return std::nullopt;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

bool take_number(std::string_view& text, std::int64_t& number) {
  take(text, " ");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  take(text, " ");
  return true;
}

// "ARRAY [1..4, 0..2] OF " at the front of what is normal and folded; nothing for anything else.
std::optional<std::vector<ads::ArrayBounds>> take_bounds(std::string_view& text) {
  std::vector<ads::ArrayBounds> bounds;
  std::string_view rest = text;
  if (!take(rest, "ARRAY")) return std::nullopt;
  take(rest, " ");
  if (!take(rest, "[")) return std::nullopt;
  do {
    std::int64_t first = 0, last = 0;
    if (!take_number(rest, first) || !take(rest, "..") || !take_number(rest, last)) return std::nullopt;
    const bool fits = first >= std::numeric_limits<std::int32_t>::min() &&
                      last <= std::numeric_limits<std::int32_t>::max() && last >= first &&
                      last - first < largest_plc_symbol;
    if (!fits) return std::nullopt;
    bounds.push_back({static_cast<std::int32_t>(first), static_cast<std::uint32_t>(last - first + 1)});
  } while (take(rest, ","));
  if (!take(rest, "]")) return std::nullopt;
  take(rest, " ");
  if (!take(rest, "OF ")) return std::nullopt;
  text = rest;
  return bounds;
}

// STRING, STRING(80), STRING[80] and the same with W; nothing for other names.
std::optional<PlcShape> text_shape(std::string_view key, std::string_view spelled) {
  std::string_view rest = key;
  const bool wide = take(rest, "W");
  if (!take(rest, "STRING")) return std::nullopt;
  take(rest, " ");
  std::int64_t length = 80;
  if (!rest.empty()) {
    if (!take(rest, "(") && !take(rest, "[")) return std::nullopt;
    if (!take_number(rest, length) || (rest != ")" && rest != "]")) return std::nullopt;
  }
  if (length < 1 || length > 65535) return std::nullopt;
  if (wide) return unsupported(spelled, static_cast<std::uint32_t>(2 * length + 2));
  PlcShape shape;
  shape.kind = PlcShape::Kind::text;
  shape.size = static_cast<std::uint32_t>(length + 1);
  shape.text_length = static_cast<std::size_t>(length);
  return shape;
}

Error size_error(std::string_view name, std::uint32_t expected, std::uint32_t got) {
  return {Fault::invalid, fmt::format("PLC type {}: expected {} bytes, got {}", printable(name), expected, got)};
}

// Structures in an order in which each comes after those that it is made of.
class Declaring {
 public:
  Declaring(std::span<const PlcStructure> structures, ads::PlcTypes& types) : structures_(structures), types_(types) {
    for (const PlcStructure& each : structures) by_name_.emplace(ads::folded(each.name), Entry{&each, State::waiting});
  }

  Result<void> all() {
    for (const PlcStructure& each : structures_)
      if (auto good = declare(each.name, 0); !good) return good;
    return {};
  }

 private:
  enum class State : std::uint8_t { waiting, under_way, done };
  struct Entry {
    const PlcStructure* structure = nullptr;
    State state = State::waiting;
  };

  Result<void> declare(std::string_view name, int depth) {
    const auto found = by_name_.find(ads::folded(name));
    if (found == by_name_.end() || found->second.state == State::done) return {};
    const PlcStructure& structure = *found->second.structure;
    const auto refused = [&](std::string_view why) {
      return Error{Fault::invalid, fmt::format("types: {}: {}", printable(structure.name), why)};
    };
    if (found->second.state == State::under_way) return refused("contains itself");
    if (depth > deepest_plc_type)
      return refused(fmt::format("expected at most {} structures within each other", deepest_plc_type));
    if (structure.members.empty()) return refused("expected at least one member");
    found->second.state = State::under_way;
    std::vector<ads::PlcTypes::Field> fields;
    for (const auto& [member, type] : structure.members) {
      if (type.size() > longest_plc_type_text)
        return refused(fmt::format("{}: the type's text is too long", printable(member)));
      const std::string text = normal_plc_type(type);
      if (auto good = declare(innermost_plc_type(text), depth + 1); !good) return good;
      for (const auto& field : fields)
        if (ads::same_name(field.name, member)) return refused(fmt::format("{} is declared twice", printable(member)));
      fields.push_back({member, text});
    }
    try {
      types_.structure(structure.name, fields);
    } catch (const std::invalid_argument& error) {
      return refused(error.what());
    }
    found->second.state = State::done;
    return {};
  }

  std::span<const PlcStructure> structures_;
  ads::PlcTypes& types_;
  std::unordered_map<std::string, Entry> by_name_;
};

}  // namespace

std::string normal_plc_type(std::string_view type) {
  std::string normal;
  for (const char c : type) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank)
      normal += c;
    else if (!normal.empty() && normal.back() != ' ')
      normal += ' ';
  }
  if (!normal.empty() && normal.back() == ' ') normal.pop_back();
  return normal;
}

bool same_plc_type(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view text) {
    std::string out = ads::folded(text);
    std::erase(out, ' ');
    return out;
  };
  return bare(a) == bare(b);
}

std::string_view innermost_plc_type(std::string_view type) {
  const std::string folded = ads::folded(type);
  std::string_view rest = folded;
  while (take_bounds(rest)) {
  }
  return type.substr(type.size() - rest.size());
}

std::string plc_name(Type type, std::size_t text_length) {
  if (type == Type::text) return fmt::format("STRING({})", text_length);
  for (const Elementary& each : elementary)
    if (each.type == type) return std::string(each.name);
  return {};
}

PlcTypeTable::PlcTypeTable(std::vector<ads::TypeInfo> uploaded) {
  for (ads::TypeInfo& type : uploaded) add(std::move(type));
}

void PlcTypeTable::add(ads::TypeInfo type) {
  std::string key = ads::folded(normal_plc_type(type.name));
  types_.insert_or_assign(std::move(key), std::move(type));
}

const ads::TypeInfo* PlcTypeTable::find(std::string_view name) const {
  const auto found = types_.find(ads::folded(normal_plc_type(name)));
  return found == types_.end() ? nullptr : &found->second;
}

Result<void> declare_types(std::span<const PlcStructure> structures, ads::PlcTypes& types) {
  if (structures.size() > most_structures)
    return Error{Fault::invalid,
                 fmt::format("types: expected at most {} structures, got {}", most_structures, structures.size())};
  return Declaring(structures, types).all();
}

Result<PlcTypeTable> PlcTypeTable::declared(std::span<const PlcStructure> structures) {
  ads::PlcTypes types;
  if (auto good = declare_types(structures, types); !good) return std::move(good).error();
  PlcTypeTable table;
  for (const ads::PlcType* type : types.all())
    if (!type->members.empty()) table.add(ads::type_info(*type));
  return table;
}

Result<PlcShape> PlcTypeTable::shape(std::string_view type) const { return shape(type, 0); }

Result<PlcShape> PlcTypeTable::shape(std::string_view type, int depth) const {
  if (type.size() > longest_plc_type_text || depth > deepest_plc_type)
    return Error{Fault::invalid, fmt::format("PLC type {}: too long or too deep", printable(type))};
  const std::string spelled = normal_plc_type(type);
  const std::string key = ads::folded(spelled);
  if (const auto found = elementary_type(key)) return number(*found);
  if (auto text = text_shape(key, spelled)) return std::move(*text);
  if (key.starts_with("POINTER TO ") || key.starts_with("REFERENCE TO ") || key == "BIT" || key == "PVOID")
    return unsupported(spelled, 0);
  if (const auto known = types_.find(key); known != types_.end()) return shape_of(known->second, depth);
  std::string_view rest = key;
  if (auto bounds = take_bounds(rest)) {
    PlcShape shape;
    shape.kind = PlcShape::Kind::array;
    shape.bounds = std::move(*bounds);
    shape.element = spelled.substr(spelled.size() - rest.size());
    return shape;
  }
  // "INT (0..100)", a subrange.
  if (const std::size_t open = key.find(" ("); open != std::string::npos)
    if (const auto base = elementary_type(key.substr(0, open))) return number(*base);
  return Error{Fault::not_found, fmt::format("PLC type {}: expected an elementary type, a STRING, an ARRAY or one that "
                                             "is known, got none of them",
                                             printable(spelled))};
}

Result<PlcShape> PlcTypeTable::shape_of(const ads::TypeInfo& info, int depth) const {
  PlcShape shape;
  shape.size = info.size;
  if ((info.flags & type_reference) != 0) return unsupported(info.name, info.size);
  if (!info.bounds.empty()) {
    shape.kind = PlcShape::Kind::array;
    shape.bounds = info.bounds;
    shape.element = info.type;
    return shape;
  }
  if (!info.members.empty()) {
    shape.kind = PlcShape::Kind::structure;
    shape.info = &info;
    return shape;
  }
  // Another name for a type: an enumeration or an alias.
  for (const auto& [code, type] : codes) {
    if (code != info.data_type) continue;
    if (size_of(type) != info.size) return size_error(info.name, size_of(type), info.size);
    return number(type);
  }
  if (info.type.empty() || ads::same_name(info.type, info.name)) return unsupported(info.name, info.size);
  auto base = this->shape(info.type, depth + 1);
  if (base && base->size != 0 && base->size != info.size) return size_error(info.name, base->size, info.size);
  if (base) base->size = info.size;
  return base;
}

}  // namespace tandem::generic
