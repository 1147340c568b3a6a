// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/syntax/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tandem/base/nearest.hpp"

namespace tandem::urscript {

namespace {

constexpr std::size_t longest_name = 256;
constexpr std::size_t most_tokens = 1'000'000;

constexpr std::array<std::string_view, 30> keywords = {"def",
                                                       "sec",
                                                       "thread",
                                                       "while",
                                                       "if",
                                                       "elif",
                                                       "else",
                                                       "for",
                                                       "end",
                                                       "return",
                                                       "break",
                                                       "continue",
                                                       "global",
                                                       "local",
                                                       "run",
                                                       "join",
                                                       "kill",
                                                       "halt",
                                                       "and",
                                                       "or",
                                                       "xor",
                                                       "not",
                                                       "True",
                                                       "False",
                                                       "None",
                                                       "switch",
                                                       "case",
                                                       "default",
                                                       "enter_critical",
                                                       "exit_critical"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class Lexer {
 public:
  explicit Lexer(std::string_view script) : script_(script) {}

  Result<std::vector<Token>> run() {
    while (position_ < script_.size()) {
      if (auto step = next(); !step) return std::move(step).error();
      if (tokens_.size() > most_tokens) return error_at(line_, column(), "the program is too long");
    }
    add(TokenKind::end_of_line, 0);
    add(TokenKind::end_of_text, 0);
    return std::move(tokens_);
  }

 private:
  char at(std::size_t ahead) const { return position_ + ahead < script_.size() ? script_[position_ + ahead] : '\0'; }
  std::uint32_t column() const { return static_cast<std::uint32_t>(position_ - line_start_ + 1); }

  void add(TokenKind kind, std::size_t length, double number = 0.0) {
    tokens_.push_back({kind, script_.substr(position_, length), line_, column(), number});
    position_ += length;
  }

  Result<void> next() {
    const char c = at(0);
    if (c == '\n') return new_line();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
      return {};
    }
    // `$ 12 "label" "more"` says where in the pendant's tree the next lines come from. It does nothing.
    if (c == '#' || c == '$') return skip_line();
    if (c == '"' || c == '\'') return text(c);
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(at(1)))) return number();
    return symbol();
  }

  Result<void> new_line() {
    add(TokenKind::end_of_line, 1);
    ++line_;
    line_start_ = position_;
    return {};
  }

  Result<void> skip_line() {
    const std::size_t end = script_.find('\n', position_);
    position_ = end == std::string_view::npos ? script_.size() : end;
    return {};
  }

  Result<void> text(char quote) {
    const std::size_t end = script_.find_first_of(quote == '"' ? "\"\n" : "'\n", position_ + 1);
    if (end == std::string_view::npos || script_[end] == '\n') {
      return error_at(line_, column(), "this string has no closing quote on its line");
    }
    const std::size_t length = end - position_ - 1;
    tokens_.push_back({TokenKind::text, script_.substr(position_ + 1, length), line_, column(), 0.0});
    position_ = end + 1;
    return {};
  }

  Result<void> word() {
    std::size_t length = 1;
    while (is_letter(at(length)) || is_digit(at(length))) ++length;
    if (length > longest_name) return error_at(line_, column(), "this name is longer than 256 characters");
    add(is_keyword(script_.substr(position_, length)) ? TokenKind::keyword : TokenKind::name, length);
    return {};
  }

  Result<void> number() {
    if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X') && is_hex(at(2))) return hexadecimal();
    std::size_t length = 0;
    bool whole = true;
    while (is_digit(at(length))) ++length;
    if (at(length) == '.') {
      whole = false;
      ++length;
      while (is_digit(at(length))) ++length;
    }
    const std::size_t sign = (at(length + 1) == '+' || at(length + 1) == '-') ? 1 : 0;
    if ((at(length) == 'e' || at(length) == 'E') && is_digit(at(length + 1 + sign))) {
      whole = false;
      length += 1 + sign;
      while (is_digit(at(length))) ++length;
    }
    double value = 0.0;
    const char* begin = script_.data() + position_;
    const auto read = std::from_chars(begin, begin + length, value);
    if (read.ec != std::errc() || !std::isfinite(value)) {
      return error_at(line_, column(), fmt::format("the number '{}' is out of range", printable({begin, length})));
    }
    // A whole number beyond 32 bits is a float.
    add(whole && value <= 2147483647.0 ? TokenKind::integer : TokenKind::floating, length, value);
    return {};
  }

  Result<void> hexadecimal() {
    std::size_t length = 2;
    std::uint64_t value = 0;
    while (is_hex(at(length))) ++length;
    const char* begin = script_.data() + position_;
    const auto read = std::from_chars(begin + 2, begin + length, value, 16);
    if (read.ec != std::errc() || value > 0xFFFFFFFFu) {
      return error_at(line_, column(), fmt::format("'{}' does not fit in 32 bits", printable({begin, length})));
    }
    add(TokenKind::integer, length, static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(value))));
    return {};
  }

  Result<void> symbol() {
    const std::string_view two = script_.substr(position_, 2);
    const bool pair = two == "==" || two == "!=" || two == "<=" || two == ">=";
    if (!pair && std::string_view("()[],:=<>+-*/%.").find(at(0)) == std::string_view::npos) {
      return error_at(line_, column(),
                      fmt::format("'{}' is not part of the language", printable(script_.substr(position_, 1))));
    }
    add(TokenKind::symbol, pair ? 2 : 1);
    return {};
  }

  std::string_view script_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_keyword(std::string_view word) { return std::find(keywords.begin(), keywords.end(), word) != keywords.end(); }

bool opens_block(std::string_view word) {
  return word == "def" || word == "sec" || word == "thread" || word == "while" || word == "if" || word == "for" ||
         word == "switch";
}

Result<std::vector<Token>> tokens_of(std::string_view script) { return Lexer(script).run(); }

Error error_at(std::uint32_t line, std::uint32_t column, std::string_view text) {
  return {Fault::invalid, fmt::format("line {}, column {}: {}", line, column, text), line};
}

}  // namespace tandem::urscript
