// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/machines/generic/characters.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_symbol = 255;
constexpr std::array<std::string_view, 4> table_words = {"coil", "discrete", "holding", "input"};

Error place_error(std::string text) { return {Fault::invalid, std::move(text)}; }

std::optional<std::uint32_t> address_from(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_register(ModbusTable table) { return table == ModbusTable::holding || table == ModbusTable::input; }

// `number` as the file counts it within its table.
Result<ModbusPlace> counted(ModbusTable table, std::uint32_t number, int base, std::string_view first_text) {
  if (base != 0 && number == 0) return place_error(fmt::format("counts from 1: did you mean {}?", first_text));
  const std::uint32_t address = base == 0 ? number : number - 1;
  if (address > 65535)
    return place_error(fmt::format("expected an address up to {}, got {}", base == 0 ? 65535 : 65536, number));
  return ModbusPlace{table, static_cast<std::uint16_t>(address), -1};
}

// 40011, 400011: the first digit is the table, the others count from 1.
Result<ModbusPlace> digits_place(std::string_view text) {
  constexpr std::string_view what =
      "5 or 6 digits, the first of them the table (0 coil, 1 discrete, 3 input, 4 holding)";
  ModbusTable table{};
  switch (text.empty() ? '?' : text.front()) {
    case '0':
      table = ModbusTable::coil;
      break;
    case '1':
      table = ModbusTable::discrete;
      break;
    case '3':
      table = ModbusTable::input;
      break;
    case '4':
      table = ModbusTable::holding;
      break;
    default:
      return place_error(fmt::format("expected {}, got {}", what, printable(text)));
  }
  const auto number = address_from(text.substr(1));
  if ((text.size() != 5 && text.size() != 6) || !number || text.substr(0, 2) == "0x")
    return place_error(fmt::format("expected {}, got {}", what, printable(text)));
  std::string first(text.size(), '0');
  first.front() = text.front();
  first.back() = '1';
  return counted(table, *number, 40001, first);
}

Result<ModbusPlace> table_place(std::string_view text, int base) {
  const std::size_t blank = text.find_first_of(" \t");
  const std::string_view word = text.substr(0, blank);
  std::optional<ModbusTable> table;
  for (std::size_t i = 0; i < table_words.size(); ++i) {
    if (word == table_words[i]) table = static_cast<ModbusTable>(i);
  }
  if (!table) {
    const std::string_view close = nearest(word, table_words);
    return place_error(fmt::format("expected a table and an address such as 'holding 16', got '{}'{}", printable(text),
                                   close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
  }
  const std::string_view digits = blank == text.npos ? std::string_view() : trimmed(text.substr(blank));
  const auto number = address_from(digits);
  if (!number) return place_error(fmt::format("expected an address behind '{}', got '{}'", word, printable(digits)));
  // "holding 40011" says the table twice.
  if (base == 40001 && digits.size() >= 5 && !digits.starts_with("0x")) {
    auto place = digits_place(digits);
    if (place && place->table != *table)
      return place_error(fmt::format("expected an address of the table {}, got {}", word, digits));
    return place;
  }
  return counted(*table, *number, base, fmt::format("{} 1", word));
}

Result<At> modbus_place(std::string_view text, int base) {
  const std::size_t dot = text.rfind('.');
  const std::string_view whole = text.substr(0, dot);
  const bool digits = !whole.empty() && is_digit(whole.front());
  if (digits && base != 40001)
    return place_error(fmt::format("expected a table and an address such as 'holding 16', got {}; {}", printable(text),
                                   "with `base: 40001` the first digit is the table"));
  auto place = digits ? digits_place(whole) : table_place(whole, base);
  if (!place) return place.error();
  if (dot != text.npos) {
    const auto bit = address_from(text.substr(dot + 1));
    if (!is_register(place->table)) return place_error(fmt::format("expected a whole {}, got a bit of it", whole));
    if (!bit || *bit > 15)
      return place_error(
          fmt::format("expected a bit from 0 to 15 behind '.', got '{}'", printable(text.substr(dot + 1))));
    place->bit = static_cast<int>(*bit);
  }
  return At(*place);
}

// [.]name{.name|[int{,int}]}
Result<At> ads_place(std::string_view text) {
  const auto refuse = [&](std::size_t at, std::string_view expected) -> Result<At> {
    return place_error(fmt::format("character {}: expected {}, got {}", at + 1, expected,
                                   at < text.size() ? fmt::format("'{}'", printable(text.substr(at, 1))) : "the end"));
  };
  if (text.size() > longest_symbol)
    return place_error(fmt::format("expected a symbol of at most {} characters, got {}", longest_symbol, text.size()));
  std::size_t at = text.starts_with('.') ? 1 : 0;  // TwinCAT 2: global variables
  while (true) {
    if (at >= text.size() || !begins_name(text[at])) return refuse(at, "the name of a symbol");
    while (at < text.size() && (begins_name(text[at]) || is_digit(text[at]))) ++at;
    while (at < text.size() && text[at] == '[') {
      do {
        ++at;
        while (at < text.size() && text[at] == ' ') ++at;
        if (at < text.size() && text[at] == '-') ++at;
        if (at >= text.size() || !is_digit(text[at])) return refuse(at, "an index");
        while (at < text.size() && is_digit(text[at])) ++at;
      } while (at < text.size() && text[at] == ',');
      if (at >= text.size() || text[at] != ']') return refuse(at, "']'");
      ++at;
    }
    if (at == text.size()) break;
    if (text[at] != '.') return refuse(at, "'.', '[' or the end");
    ++at;
  }
  return At(AdsPlace{std::string(text)});
}

}  // namespace

bool looks_like_modbus(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && is_digit(text.front())) return true;
  const std::size_t blank = text.find_first_of(" \t");
  if (std::find(table_words.begin(), table_words.end(), text.substr(0, blank)) != table_words.end()) return true;
  return blank != text.npos && text.find_first_of("0123456789", blank) != text.npos;
}

Result<At> place_from(std::string_view text, Protocol protocol, int base) {
  text = trimmed(text);
  return protocol == Protocol::modbus ? modbus_place(text, base) : ads_place(text);
}

}  // namespace tandem::generic
