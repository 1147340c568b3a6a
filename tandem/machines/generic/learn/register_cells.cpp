// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/register_cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "tandem/base/text.hpp"
#include "tandem/machines/generic/learn/characters.hpp"

namespace tandem::generic {
namespace {

using ascii::is_digit;
using ascii::lower;

std::string folded_cell(std::string_view text) { return ascii::in_lower_case(trimmed(text)); }

struct Number {
  std::uint32_t value = 0;
  int digits = 0;
  bool hexadecimal = false;
};

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// "40001", "0x1a", "1ah" at the front; taken off.
std::optional<Number> take_number(std::string_view& text) {
  Number number;
  const auto read = [&](std::string_view digits, int base) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value, base);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (text.starts_with("0x")) {
    const auto end = std::find_if_not(text.begin() + 2, text.end(), is_hex_digit);
    const auto size = static_cast<std::size_t>(end - text.begin());
    number.hexadecimal = true;
    if (size == 2 || !read(text.substr(2, size - 2), 16)) return std::nullopt;
    text.remove_prefix(size);
    return number;
  }
  const auto hex_end = std::find_if_not(text.begin(), text.end(), is_hex_digit);
  const auto hex_size = static_cast<std::size_t>(hex_end - text.begin());
  if (hex_size > 0 && hex_end != text.end() && *hex_end == 'h' && is_digit(text.front())) {
    number.hexadecimal = true;
    if (!read(text.substr(0, hex_size), 16)) return std::nullopt;
    text.remove_prefix(hex_size + 1);
    return number;
  }
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto size = static_cast<std::size_t>(end - text.begin());
  if (size == 0 || size > 9 || !read(text.substr(0, size), 10)) return std::nullopt;
  number.digits = static_cast<int>(size);
  text.remove_prefix(size);
  return number;
}

// "hr12", "4x0001", "%mw100": the table that they begin with, taken off.
std::optional<ModbusTable> take_table(std::string_view& text) {
  struct Prefix {
    std::string_view text;
    ModbusTable table;
  };
  static constexpr std::array prefixes = {
      Prefix{"%mw", ModbusTable::holding}, Prefix{"hr", ModbusTable::holding},
      Prefix{"4x", ModbusTable::holding},  Prefix{"ir", ModbusTable::input},
      Prefix{"3x", ModbusTable::input},    Prefix{"di", ModbusTable::discrete},
      Prefix{"1x", ModbusTable::discrete}, Prefix{"holding", ModbusTable::holding},
      Prefix{"input", ModbusTable::input}, Prefix{"discrete", ModbusTable::discrete},
      Prefix{"coil", ModbusTable::coil},   Prefix{"%m", ModbusTable::coil},
  };
  for (const Prefix& prefix : prefixes) {
    if (!text.starts_with(prefix.text)) continue;
    const std::string_view rest = trimmed(text.substr(prefix.text.size()), " _:");
    if (rest.empty() || !is_digit(rest.front())) continue;
    text = rest;
    return prefix.table;
  }
  return std::nullopt;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// The second number of "40001-40002", "40001..40002", "40001 to 40002", "40001/40002".
bool take_range(std::string_view& rest, const Number& first, AddressCell& cell) {
  std::string_view text = trimmed(rest);
  bool announced = false;
  for (const std::string_view word : {"...", "..", "\u2013", "\u2026", "-", "to ", "bis ", "/", "&", "+", ",", ";"}) {
    if (!announced) announced = take(text, word);
  }
  if (!announced) return false;
  text = trimmed(text);
  const auto last = take_number(text);
  if (!last || !trimmed(text).empty() || last->value <= first.value || last->value - first.value > 200) return false;
  cell.count = last->value - first.value + 1;
  rest = text;
  return true;
}

bool take_bit(std::string_view& rest, AddressCell& cell) {
  std::string_view text = trimmed(rest);
  bool announced = false;
  for (const std::string_view word : {".", ":", "bit ", "bit", "/"}) {
    if (!announced) announced = take(text, word);
  }
  if (!announced) return false;
  text = trimmed(text);
  const auto bit = take_number(text);
  if (!bit || bit->hexadecimal || bit->value > 15 || !trimmed(text).empty()) return false;
  cell.bit = static_cast<int>(bit->value);
  rest = text;
  return true;
}

}  // namespace

std::string bare_word(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z')) out += lower(c);
  }
  return out;
}

std::optional<AddressCell> address_cell(std::string_view text) {
  const std::string folded = folded_cell(trimmed(text, " \t'\"`#"));
  std::string_view rest = folded;
  AddressCell cell;
  cell.table = take_table(rest);
  const auto first = take_number(rest);
  if (!first) return std::nullopt;
  cell.number = first->value;
  cell.digits = first->digits;
  cell.hexadecimal = first->hexadecimal;
  if (trimmed(rest).empty() || take_range(rest, *first, cell) || take_bit(rest, cell)) return cell;
  return std::nullopt;
}

std::optional<ModbusTable> table_cell(std::string_view text) {
  const std::string word = bare_word(text);
  const auto has = [&word](std::string_view part) { return word.find(part) != word.npos; };
  if (word.empty()) return std::nullopt;
  if (has("holding") || word == "hr" || word == "4x" || word == "4xxxx" || word == "4xxxxx")
    return ModbusTable::holding;
  if (has("coil") || word == "0x" || word == "0xxxx" || word == "digitaloutput" || word == "do")
    return ModbusTable::coil;
  if (has("discrete") || word == "1x" || word == "1xxxx" || word == "di" || word == "digitalinput")
    return ModbusTable::discrete;
  if (has("inputreg") || word == "input" || word == "ir" || word == "3x" || word == "3xxxx" || word == "analoginput")
    return ModbusTable::input;
  // Function codes: "03", "FC 4", "3/16", "0x03".
  static constexpr std::array<std::string_view, 5> announcing = {"", "fc", "f", "function", "functioncode"};
  const std::string lowered = folded_cell(text);
  const std::size_t at = std::min(lowered.find_first_of("0123456789"), lowered.size());
  if (std::ranges::find(announcing, bare_word(lowered.substr(0, at))) == announcing.end()) return std::nullopt;
  std::string_view rest = std::string_view(lowered).substr(at);
  const auto code = take_number(rest);
  if (!code) return std::nullopt;
  switch (code->value) {
    case 1:
    case 5:
    case 15:
      return ModbusTable::coil;
    case 2:
      return ModbusTable::discrete;
    case 3:
    case 6:
    case 16:
      return ModbusTable::holding;
    case 4:
      return ModbusTable::input;
    default:
      return std::nullopt;
  }
}

std::optional<double> number_cell(std::string_view text, bool decimal_comma) {
  std::string plain(trimmed(text));
  if (decimal_comma) std::ranges::replace(plain, ',', '.');
  if (plain.starts_with('+')) plain.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (plain.empty() || error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> scale_cell(std::string_view text, bool decimal_comma) {
  std::string folded = folded_cell(text);
  std::string_view rest = folded;
  for (const std::string_view sign : {"x", "*", "\u00D7"}) take(rest, sign);
  rest = trimmed(rest);
  const auto positive = [](std::optional<double> value) {
    return value && *value != 0 && std::isfinite(*value) && std::abs(*value) < 1e12 && std::abs(*value) > 1e-12
               ? value
               : std::nullopt;
  };
  for (const std::string_view sign : {"/", "\u00F7", ":"}) {
    const std::size_t at = rest.find(sign);
    if (at == rest.npos) continue;
    const auto over = at == 0 ? std::optional(1.0) : number_cell(rest.substr(0, at), decimal_comma);
    const auto under = positive(number_cell(rest.substr(at + sign.size()), decimal_comma));
    return over && under ? positive(*over / *under) : std::nullopt;
  }
  if (const std::size_t hat = rest.find('^'); hat != rest.npos) {
    const auto base = number_cell(rest.substr(0, hat), decimal_comma);
    const auto power = number_cell(rest.substr(hat + 1), decimal_comma);
    return base && power ? positive(std::pow(*base, *power)) : std::nullopt;
  }
  return positive(number_cell(rest, decimal_comma));
}

}  // namespace tandem::generic
