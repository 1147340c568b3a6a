// SPDX-License-Identifier: Apache-2.0
// Text of a script to tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::urscript {

enum class TokenKind : std::uint8_t { name, keyword, integer, floating, text, symbol, end_of_line, end_of_text };

// A stretch of the script; the script must outlive it.
struct Token {
  TokenKind kind = TokenKind::end_of_text;
  std::string_view text;  // a string's is without its quotes: URScript knows no escapes
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  double number = 0.0;

  bool is(std::string_view word) const {
    return (kind == TokenKind::keyword || kind == TokenKind::symbol) && text == word;
  }
};

bool is_keyword(std::string_view word);
bool opens_block(std::string_view word);  // def, thread, while ...: closed by its own `end`

// All tokens, the last one being end_of_text. Comments and the program labels of PolyScope (`$ 12 "Move"`) are left
// out.
Result<std::vector<Token>> tokens_of(std::string_view script);

// "line 3, column 5: ..." with the line as its code too.
Error error_at(std::uint32_t line, std::uint32_t column, std::string_view text);

}  // namespace tandem::urscript
