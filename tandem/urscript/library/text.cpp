// SPDX-License-Identifier: Apache-2.0
// Strings. They hold bytes; an index outside is a runtime error, as on the controller.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/library/library.hpp"

namespace tandem::urscript {

namespace {

// 0x... and 0X..., within 32 bits.
std::optional<Outcome> hexadecimal(std::string_view digits, bool negative, std::string_view all) {
  if (digits.size() < 3 || digits[0] != '0' || (digits[1] != 'x' && digits[1] != 'X')) return std::nullopt;
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data() + 2, end, number, 16);
  if (read.ptr != end) return std::nullopt;
  if (read.ec != std::errc() || number > (negative ? 0x80000000u : 0xFFFFFFFFu))
    return Outcome(Error{Fault::invalid, fmt::format("'{}' does not fit in 32 bits", printable(all))});
  const auto word = static_cast<std::uint32_t>(number);
  return Outcome(Value(static_cast<std::int32_t>(negative ? 0u - word : word)));
}

Outcome number_from_text(Call& call) {
  auto text = text_of(call[0]);
  if (!text) return std::move(text).error();
  std::string_view word = *text;
  while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
  const bool negative = word.starts_with('-');
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  while (!word.empty() && (word.back() == ' ' || word.back() == '\t' || word.back() == '\n' || word.back() == '\r'))
    word.remove_suffix(1);
  if (auto number = hexadecimal(negative ? word.substr(1) : word, negative, *text)) return *std::move(number);
  const char* end = word.data() + word.size();
  std::int32_t whole = 0;
  if (const auto read = std::from_chars(word.data(), end, whole); read.ec == std::errc() && read.ptr == end)
    return Value(whole);
  double number = 0.0;
  const auto read = std::from_chars(word.data(), end, number);
  if (word.empty() || read.ec != std::errc() || read.ptr != end) {
    return Error{Fault::invalid, fmt::format("'{}' is not a number", printable(*text))};
  }
  return Value(number);
}

Outcome character(Call& call) {
  auto text = text_of(call[0]);
  auto index = integer_of(call[1]);
  if (!text) return std::move(text).error();
  if (!index) return std::move(index).error();
  if (*index < 0 || static_cast<std::size_t>(*index) >= text->size()) {
    return Error{Fault::invalid, fmt::format("index {} is outside a string of {}", *index, text->size())};
  }
  return Value(text->substr(static_cast<std::size_t>(*index), 1));
}

Outcome part(Call& call) {
  auto text = text_of(call[0]);
  auto index = integer_of(call[1]);
  auto count = call[2].is_unset() ? Result<std::int32_t>(INT32_MAX) : integer_of(call[2]);
  if (!text) return std::move(text).error();
  if (!index) return std::move(index).error();
  if (!count) return std::move(count).error();
  if (*index < 0 || static_cast<std::size_t>(*index) > text->size() || *count < 0) {
    return Error{Fault::invalid,
                 fmt::format("index {} and length {} are outside a string of {}", *index, *count, text->size())};
  }
  return Value(text->substr(static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)));
}

Outcome find(Call& call) {
  auto text = text_of(call[0]);
  auto target = text_of(call[1]);
  auto from = integer_of(call[2]);
  if (!text) return std::move(text).error();
  if (!target) return std::move(target).error();
  if (!from) return std::move(from).error();
  if (*from < 0) return Error{Fault::invalid, fmt::format("cannot search from {}", *from)};
  const std::size_t found = text->find(*target, static_cast<std::size_t>(*from));
  return Value(found == std::string_view::npos ? std::int32_t{-1} : static_cast<std::int32_t>(found));
}

Outcome text_length(Call& call) {
  auto text = text_of(call[0]);
  if (!text) return std::move(text).error();
  return Value(static_cast<std::int32_t>(text->size()));
}

Outcome is_empty(Call& call) {
  auto text = text_of(call[0]);
  if (!text) return std::move(text).error();
  return Value(text->empty());
}

Outcome as_text(Call& call) { return Value::make_text(to_text(call[0])); }

}  // namespace

void add_strings(Builtins& builtins) {
  builtins.add("to_num", {"str"}, number_from_text);
  builtins.add("to_str", {"val"}, as_text);
  builtins.add("to_string", {"val"}, as_text);
  builtins.add("str_at", {"src", "index"}, character);
  builtins.add("str_cat", {"op1", "op2"},
               [](Call& call) -> Outcome { return Value::make_text(to_text(call[0]) + to_text(call[1])); });
  builtins.add("str_empty", {"str"}, is_empty);
  builtins.add("str_find", {"src", "target", Parameter("start_from", 0)}, find);
  builtins.add("str_len", {"str"}, text_length);
  builtins.add("str_sub", {"src", "index", Parameter("len", Value())}, part);
}

}  // namespace tandem::urscript
