// SPDX-License-Identifier: Apache-2.0
// The words of register lists: types, orders, access.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "tandem/base/text.hpp"
#include "tandem/machines/generic/learn/characters.hpp"
#include "tandem/machines/generic/learn/register_cells.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_text_type = 250;  // bytes: one read

struct TypeWord {
  std::string_view word;
  Type type;
  bool sized;
};
constexpr std::array type_words = {
    TypeWord{"bool", Type::bit, true},
    TypeWord{"boolean", Type::bit, true},
    TypeWord{"bit", Type::bit, true},
    TypeWord{"int16", Type::int16, true},
    TypeWord{"sint16", Type::int16, true},
    TypeWord{"s16", Type::int16, true},
    TypeWord{"i16", Type::int16, true},
    TypeWord{"short", Type::int16, true},
    TypeWord{"signed16", Type::int16, true},
    TypeWord{"int", Type::int16, false},
    TypeWord{"integer", Type::int16, false},
    TypeWord{"signed", Type::int16, false},
    TypeWord{"signedint", Type::int16, false},
    TypeWord{"uint16", Type::uint16, true},
    TypeWord{"u16", Type::uint16, true},
    TypeWord{"word", Type::uint16, true},
    TypeWord{"ushort", Type::uint16, true},
    TypeWord{"unsigned16", Type::uint16, true},
    TypeWord{"uint", Type::uint16, false},
    TypeWord{"unsigned", Type::uint16, false},
    TypeWord{"unsignedint", Type::uint16, false},
    TypeWord{"enum", Type::uint16, false},
    TypeWord{"enum16", Type::uint16, true},
    TypeWord{"bitfield16", Type::uint16, true},
    TypeWord{"bitfield", Type::uint16, false},
    TypeWord{"bitmap", Type::uint16, false},
    TypeWord{"unsignedshort", Type::uint16, true},
    TypeWord{"int32", Type::int32, true},
    TypeWord{"sint32", Type::int32, true},
    TypeWord{"s32", Type::int32, true},
    TypeWord{"i32", Type::int32, true},
    TypeWord{"dint", Type::int32, true},
    TypeWord{"long", Type::int32, true},
    TypeWord{"signed32", Type::int32, true},
    TypeWord{"uint32", Type::uint32, true},
    TypeWord{"u32", Type::uint32, true},
    TypeWord{"udint", Type::uint32, true},
    TypeWord{"dword", Type::uint32, true},
    TypeWord{"ulong", Type::uint32, true},
    TypeWord{"unsigned32", Type::uint32, true},
    TypeWord{"unsignedlong", Type::uint32, true},
    TypeWord{"bitfield32", Type::uint32, true},
    TypeWord{"acc32", Type::uint32, true},
    TypeWord{"int64", Type::int64, true},
    TypeWord{"s64", Type::int64, true},
    TypeWord{"lint", Type::int64, true},
    TypeWord{"uint64", Type::uint64, true},
    TypeWord{"u64", Type::uint64, true},
    TypeWord{"ulint", Type::uint64, true},
    TypeWord{"acc64", Type::uint64, true},
    TypeWord{"float", Type::float32, true},
    TypeWord{"float32", Type::float32, true},
    TypeWord{"real", Type::float32, true},
    TypeWord{"real32", Type::float32, true},
    TypeWord{"single", Type::float32, true},
    TypeWord{"fp32", Type::float32, true},
    TypeWord{"f32", Type::float32, true},
    TypeWord{"ieee754", Type::float32, true},
    TypeWord{"ieee754float", Type::float32, true},
    TypeWord{"double", Type::float64, true},
    TypeWord{"float64", Type::float64, true},
    TypeWord{"lreal", Type::float64, true},
    TypeWord{"f64", Type::float64, true},
    TypeWord{"real64", Type::float64, true},
    TypeWord{"fp64", Type::float64, true},
    TypeWord{"string", Type::text, true},
    TypeWord{"ascii", Type::text, true},
    TypeWord{"char", Type::text, true},
    TypeWord{"text", Type::text, true},
    TypeWord{"fp32r", Type::float32, true},
    TypeWord{"float32bit", Type::float32, true},
    TypeWord{"float32bits", Type::float32, true},
};

struct OrderWord {
  std::string_view word;
  modbus::WordOrder order;
  bool ambiguous;
};
using enum modbus::WordOrder;
constexpr std::array order_words = {
    OrderWord{"abcd", abcd, false},
    OrderWord{"cdab", cdab, false},
    OrderWord{"badc", badc, false},
    OrderWord{"dcba", dcba, false},
    OrderWord{"none", abcd, false},
    OrderWord{"word", cdab, false},
    OrderWord{"byte", badc, false},
    OrderWord{"wordbyte", dcba, false},
    OrderWord{"byteword", dcba, false},
    OrderWord{"wordswap", cdab, false},
    OrderWord{"swapword", cdab, false},
    OrderWord{"wordswapped", cdab, false},
    OrderWord{"byteswap", badc, false},
    OrderWord{"swapbyte", badc, false},
    OrderWord{"byteswapped", badc, false},
    OrderWord{"big", abcd, false},
    OrderWord{"be", abcd, false},
    OrderWord{"bigendian", abcd, false},
    OrderWord{"highlow", abcd, false},
    OrderWord{"hilo", abcd, false},
    OrderWord{"msw", abcd, false},
    OrderWord{"mswfirst", abcd, false},
    OrderWord{"highwordfirst", abcd, false},
    OrderWord{"msbfirst", abcd, false},
    OrderWord{"lowhigh", cdab, false},
    OrderWord{"lohi", cdab, false},
    OrderWord{"lsw", cdab, false},
    OrderWord{"lswfirst", cdab, false},
    OrderWord{"lowwordfirst", cdab, false},
    OrderWord{"bebe", abcd, false},
    OrderWord{"bele", badc, true},
    OrderWord{"lebe", cdab, true},
    OrderWord{"lele", dcba, false},
    OrderWord{"little", dcba, true},
    OrderWord{"littleendian", dcba, true},
    OrderWord{"le", dcba, true},
    OrderWord{"lsbfirst", dcba, true},
    OrderWord{"midbig", badc, true},
    OrderWord{"midbigendian", badc, true},
    OrderWord{"midlittle", cdab, true},
    OrderWord{"midlittleendian", cdab, true},
    OrderWord{"littleendianbyteswap", cdab, true},
    OrderWord{"bigendianbyteswap", badc, true},
    OrderWord{"0123", abcd, false},
    OrderWord{"3210", dcba, false},
    OrderWord{"1032", badc, false},
    OrderWord{"2301", cdab, false},
    OrderWord{"4321", abcd, false},
    OrderWord{"2143", cdab, false},
    OrderWord{"3412", badc, false},
    OrderWord{"1234", dcba, false},
};

// "string20" and the like; nothing for other words, a length of 0 for one that is not possible.
std::optional<std::size_t> text_length_in(const std::string& word) {
  static constexpr std::array<std::string_view, 5> text_types = {"string", "ascii", "char", "text", "str"};
  const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
  const std::string_view stem = std::string_view(word).substr(0, digits);
  if (digits == word.size() || std::ranges::find(text_types, stem) == text_types.end()) return std::nullopt;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(word.data() + digits, word.data() + word.size(), length);
  const bool good = error == std::errc() && end == word.data() + word.size() && length <= longest_text_type;
  return good ? length : 0;
}

// "16bitunsigned" is "unsigned16", "signedinteger32" is "int32".
std::string short_form(std::string word) {
  for (const std::string_view size : {"16", "32", "64"}) {
    const std::size_t at = word.find(std::string(size) + "bit");
    if (at != word.npos) word = word.substr(0, at) + word.substr(at + 5) + std::string(size);
  }
  using Form = std::pair<std::string_view, std::string_view>;
  for (const auto& [form, replacement] :
       {Form("signedinteger", "int"), Form("unsignedinteger", "uint"), Form("signedint", "int"),
        Form("unsignedint", "uint"), Form("integer", "int")}) {
    if (word.starts_with(form) && word.size() > form.size()) word = std::string(replacement) + word.substr(form.size());
  }
  return word;
}

}  // namespace

std::optional<TypeCell> type_cell(std::string_view text) {
  // An order behind the type, or in brackets.
  std::string folded = ascii::in_lower_case(trimmed(text));
  TypeCell cell;
  for (const auto order : {abcd, cdab, badc, dcba}) {
    const std::size_t at = folded.find(modbus::name(order));
    if (at == folded.npos) continue;
    cell.order = order;
    folded.erase(at, 4);
  }
  const std::string word = short_form(bare_word(folded));
  if (word == "fp32r") cell.order = cdab;
  if (const auto length = text_length_in(word)) {
    if (*length == 0) return std::nullopt;
    cell.type = Type::text;
    cell.sized = true;
    cell.length = *length;
    return cell;
  }
  const auto found = std::ranges::find(type_words, word, &TypeWord::word);
  if (word.empty() || found == type_words.end()) return std::nullopt;
  cell.type = found->type;
  cell.sized = found->sized;
  return cell;
}

std::optional<OrderCell> order_cell(std::string_view text) {
  const std::string word = bare_word(text);
  const auto found = std::ranges::find(order_words, word, &OrderWord::word);
  if (word.empty() || found == order_words.end()) return std::nullopt;
  // Digits are written in too many ways to be sure which byte comes first.
  return OrderCell{found->order, found->ambiguous || ascii::is_digit(word.front())};
}

Access access_cell(std::string_view text) {
  const std::string word = bare_word(text);
  if (word.empty()) return Access::unknown;
  static constexpr std::array<std::string_view, 5> only_write = {"w", "wo", "write", "writeonly", "schreiben"};
  static constexpr std::array<std::string_view, 6> only_read = {"r", "ro", "read", "readonly", "lesen", "l"};
  if (std::ranges::find(only_write, word) != only_write.end()) return Access::write;
  if (std::ranges::find(only_read, word) != only_read.end()) return Access::read;
  return word.find('w') != word.npos || word.find("schreib") != word.npos ? Access::both : Access::unknown;
}

}  // namespace tandem::generic
