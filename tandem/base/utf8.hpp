// SPDX-License-Identifier: Apache-2.0
// UTF-8, UTF-16 and code points. What is no UTF-8 reads as U+FFFD, one for each byte that does not fit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace tandem {

inline constexpr char32_t replacement_character = 0xFFFD;

// Takes the first code point off the text, which must not be empty.
inline char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  std::size_t size = 0;  // none begins with another byte
  if (first < 0x80) size = 1;
  if (first >= 0xC2 && first < 0xE0) size = 2;
  if (first >= 0xE0 && first < 0xF0) size = 3;
  if (first >= 0xF0 && first < 0xF5) size = 4;
  char32_t point = size < 2 ? first : first & (0x7Fu >> size);
  bool good = size > 0 && size <= text.size();
  for (std::size_t i = 1; good && i < size; ++i) {
    good = (byte(i) & 0xC0) == 0x80;
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  good = good && point >= least[size] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
  text.remove_prefix(good ? size : 1);
  return good ? point : replacement_character;
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    // Most of it is ASCII.
    const auto plain = std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
    text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
    if (text.empty()) return true;
    const std::size_t before = text.size();
    if (take_code_point(text) == replacement_character && before - text.size() == 1) return false;
  }
  return true;
}

inline void append_utf8(std::string& out, char32_t point) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else if (point < 0x10000) {
    add(0xE0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3F));
  } else {
    add(0xF0 | point >> 18);
    add(0x80 | (point >> 12 & 0x3F));
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

inline std::u16string utf16_from_utf8(std::string_view text) {
  std::u16string out;
  while (!text.empty()) {
    const char32_t point = take_code_point(text);
    if (point < 0x10000) {
      out += static_cast<char16_t>(point);
    } else {
      out += static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10));
      out += static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
  }
  return out;
}

// Half of a surrogate pair becomes U+FFFD.
inline std::string utf8_from_utf16(std::u16string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t unit = text[i];
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    if (high && i + 1 < text.size() && text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000) {
      append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (char32_t{text[++i]} - 0xDC00));
    } else {
      append_utf8(out, unit >= 0xD800 && unit < 0xE000 ? replacement_character : unit);
    }
  }
  return out;
}

}  // namespace tandem
