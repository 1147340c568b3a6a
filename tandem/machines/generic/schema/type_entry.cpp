// SPDX-License-Identifier: Apache-2.0
// What a value is: its type, its words' order, its scale, its names.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

constexpr int longest_string = 250;  // 125 registers: one read
constexpr std::size_t longest_label = 64;

struct PlcType {
  std::string_view name;
  Type type;
};
constexpr auto plc_types = std::to_array<PlcType>({{"BOOL", Type::bit},
                                                   {"SINT", Type::int8},
                                                   {"USINT", Type::uint8},
                                                   {"BYTE", Type::uint8},
                                                   {"INT", Type::int16},
                                                   {"UINT", Type::uint16},
                                                   {"WORD", Type::uint16},
                                                   {"DINT", Type::int32},
                                                   {"UDINT", Type::uint32},
                                                   {"DWORD", Type::uint32},
                                                   {"LINT", Type::int64},
                                                   {"ULINT", Type::uint64},
                                                   {"LWORD", Type::uint64},
                                                   {"REAL", Type::float32},
                                                   {"LREAL", Type::float64}});

// "string 20" and STRING(80): the bytes of the text; STRING is 80.
std::optional<int> string_length(std::string_view text) {
  const bool plc = text.starts_with("STRING");
  if (!plc && !text.starts_with("string")) return std::nullopt;
  text = trimmed(text.substr(6));
  if (plc && text.empty()) return 80;
  if (plc && text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = trimmed(text.substr(1, text.size() - 2));
  const auto length = yaml::number_from(text);
  if (!length || *length < 1 || *length > (plc ? 255 : longest_string) || *length != std::floor(*length)) return -1;
  return static_cast<int>(*length);
}

bool is_plc_type(std::string_view text) {
  return !text.empty() && text.size() <= 255 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.,[]() -").find(c) != std::string_view::npos;
  });
}

void modbus_type(Keys& keys, const Node* node, Declaration& declaration) {
  const auto& place = std::get<ModbusPlace>(declaration.at);
  const bool coil = place.table == ModbusTable::coil || place.table == ModbusTable::discrete;
  const bool bit = coil || place.bit >= 0;
  if (node == nullptr) return void(declaration.type = bit ? Type::bit : Type::int16);
  constexpr std::string_view types = "int16, uint16, int32, uint32, int64, uint64, float32, float64 or string N";
  const std::string_view text = node->kind == Node::Kind::scalar ? trimmed(node->scalar) : std::string_view();
  const auto type = type_named(text);
  declaration.type = bit ? Type::bit : Type::int16;
  if (const auto length = string_length(text); length && !bit) {
    if (*length < 0) return keys.expected(*node, "type", fmt::format("string N with N from 1 to {}", longest_string));
    declaration.type = Type::text;
    declaration.text_length = static_cast<std::size_t>(*length);
  } else if (!type || *type == Type::int8 || *type == Type::uint8 || (bit && *type != Type::bit)) {
    keys.expected(*node, "type", bit ? "bit" : types);
  } else if (*type == Type::bit && !bit) {
    keys.wrong(*node, "type", "expected a bit's number in `at`, such as 'holding 5.3'");
  } else {
    declaration.type = *type;
  }
}

void ads_type(Keys& keys, const Node* node, Declaration& declaration) {
  if (node == nullptr) return;
  const std::string_view text = node->kind == Node::Kind::scalar ? trimmed(node->scalar) : std::string_view();
  if (const auto type = type_named(text); type && *type != Type::text) return void(declaration.type = *type);
  if (const auto length = string_length(text)) {
    if (*length < 0) return keys.expected(*node, "type", "STRING(N) with N from 1 to 255");
    declaration.type = Type::text;
    declaration.text_length = static_cast<std::size_t>(*length);
    return;
  }
  if (!is_plc_type(text)) return keys.expected(*node, "type", "float64, string N or a PLC type such as LREAL");
  declaration.plc_type = text;
  for (const PlcType& row : plc_types) {
    if (row.name == text) declaration.type = row.type;
  }
}

void take_order(Keys& keys, Declaration& declaration, const Context& context) {
  const std::size_t bytes = bytes_of(declaration.type);
  if (bytes > 2) declaration.order = context.order;
  const Node* node = keys.take("order");
  if (node == nullptr) return;
  const auto order = node->kind == Node::Kind::scalar ? modbus::word_order(node->scalar) : std::nullopt;
  if (!order) return keys.expected(*node, "order", "one of abcd, cdab, badc, dcba");
  if (context.protocol == Protocol::ads) return keys.wrong(*node, "order", "not for ADS");
  if (declaration.type == Type::bit) return keys.wrong(*node, "order", "not for a bit");
  const bool words = *order == modbus::WordOrder::abcd || *order == modbus::WordOrder::cdab;
  if (declaration.type == Type::text ? *order != modbus::WordOrder::badc : bytes <= 2 && words)
    return keys.wrong(
        *node, "order",
        fmt::format("expected badc{}, got {}; {} no words to swap", declaration.type == Type::text ? "" : " or dcba",
                    node->scalar, declaration.type == Type::text ? "a string has" : "16 bits have"));
  declaration.order = *order;
}

}  // namespace

bool is_integer_type(Type type) { return type >= Type::int8 && type <= Type::uint64; }

Range range_of_type(Type type) {
  switch (type) {
    case Type::bit:
      return {0, 1};
    case Type::int8:
      return {-128, 127};
    case Type::uint8:
      return {0, 255};
    case Type::int16:
      return {-32768, 32767};
    case Type::uint16:
      return {0, 65535};
    case Type::int32:
      return {-2147483648.0, 2147483647.0};
    case Type::uint32:
      return {0, 4294967295.0};
    case Type::int64:
      return {-0x1p63, 0x1p63};
    case Type::uint64:
      return {0, 0x1p64};
    case Type::float32:
      return {-static_cast<double>(std::numeric_limits<float>::max()), std::numeric_limits<float>::max()};
    default:
      return {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
  }
}

void read_type(Keys& keys, Declaration& declaration, const Context& context) {
  const Node* node = keys.take("type");
  if (context.protocol == Protocol::modbus) {
    modbus_type(keys, node, declaration);
    const auto& place = std::get<ModbusPlace>(declaration.at);
    int count = 1;
    if (const Node* given = keys.take("count")) {
      const auto number = whole_in(*given);
      const bool one = place.bit >= 0 || declaration.type == Type::text;
      const bool coil = place.table == ModbusTable::coil || place.table == ModbusTable::discrete;
      const std::int64_t most = one ? 1 : coil ? 2000 : 125 * 2 / static_cast<std::int64_t>(bytes_of(declaration.type));
      if (!number || *number < 1 || *number > most) {
        keys.expected(*given, "count", fmt::format("a whole number from 1 to {}", most));
      } else {
        count = static_cast<int>(*number);
      }
    }
    declaration.count = static_cast<std::size_t>(count);
    if (place.address + modbus_places(declaration) > 65536)
      context.problems.add(declaration.place,
                           fmt::format("{}: expected to end at address 65535, got {}", declaration.name,
                                       place.address + modbus_places(declaration) - 1));
  } else {
    ads_type(keys, node, declaration);
  }
  take_order(keys, declaration, context);
}

Names read_names(const Node& node, const std::string& owner, Problems& problems) {
  Names names;
  Keys keys(node, owner, problems);
  std::set<std::string> texts;
  for (const Node& key : node.keys) {
    const Node* value = keys.take(key.scalar);
    if (value == nullptr) continue;
    const auto number = whole_in(key);
    const bool good = value->kind == Node::Kind::scalar && !value->scalar.empty() && is_utf8(value->scalar) &&
                      value->scalar.size() <= longest_label;
    if (!number || !good) {
      problems.add(key, fmt::format("{}: expected whole numbers with texts such as {{0: idle}}, got {}: {}", owner,
                                    yaml::seen(key), yaml::seen(*value)));
    } else if (std::any_of(names.begin(), names.end(), [&](const auto& each) { return each.first == *number; })) {
      problems.add(key, fmt::format("{}: {} twice", owner, *number));
    } else if (!texts.insert(value->scalar).second) {
      problems.add(*value, fmt::format("{}: '{}' twice", owner, printable(value->scalar)));
    } else {
      names.emplace_back(*number, value->scalar);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

BitNames read_bits(const Node& node, const std::string& owner, Type type, Problems& problems) {
  BitNames bits;
  Keys keys(node, owner, problems);
  std::set<std::string> texts;
  const int highest = type == Type::unknown ? 63 : static_cast<int>(8 * std::max<std::size_t>(1, bytes_of(type))) - 1;
  for (const Node& key : node.keys) {
    const Node* value = keys.take(key.scalar);
    if (value == nullptr) continue;
    const auto number = whole_in(key);
    if (!number || *number < 0 || *number > highest) {
      problems.add(key, fmt::format("{}: expected bits from 0 to {}, got {}", owner, highest, yaml::seen(key)));
    } else if (value->kind != Node::Kind::scalar || !is_signal_name(value->scalar)) {
      problems.add(*value, fmt::format("{}.{}: expected a name of a-z, 0-9 and _, a letter first, got {}", owner,
                                       *number, yaml::seen(*value)));
    } else if (!texts.insert(value->scalar).second) {
      problems.add(*value, fmt::format("{}: '{}' twice", owner, printable(value->scalar)));
    } else {
      bits.emplace_back(static_cast<int>(*number), value->scalar);
    }
  }
  std::sort(bits.begin(), bits.end());
  return bits;
}

void read_range(const Node& node, const std::string& owner, double& scale, double& offset, Problems& problems) {
  const auto numbers = numbers_in(node);
  const auto expected = [&] {
    problems.add(node, fmt::format("{}: expected [raw0, raw1, value0, value1] with two raw values and two values that "
                                   "differ, got {}",
                                   owner, yaml::seen(node)));
  };
  if (!numbers || numbers->size() != 4 || (*numbers)[0] == (*numbers)[1] || (*numbers)[2] == (*numbers)[3])
    return expected();
  if (scale != 1 || offset != 0)
    return problems.add(node, owner + ": expected either range or scale and offset, got both");
  const std::vector<double>& n = *numbers;
  scale = (n[3] - n[2]) / (n[1] - n[0]);
  offset = n[2] - n[0] * scale;
  if (std::isfinite(scale) && std::isfinite(offset) && scale != 0) return;
  scale = 1, offset = 0;
  expected();
}

bool is_unit_text(std::string_view text) {
  return !text.empty() && text.size() <= 32 && is_utf8(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace tandem::generic
