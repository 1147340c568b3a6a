// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/text/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "tandem/base/utf8.hpp"

namespace tandem::app::ros {
namespace {

bool is_break(char32_t c) { return c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029; }
bool is_blank(char32_t c) { return c == 0 || c == ' ' || c == '\t' || c == '\r' || is_break(c); }
bool is_printable(char32_t c) {
  return c == '\n' || (c >= 0x20 && c <= 0x7E) || c == 0x85 || (c >= 0xA0 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF) || (c >= 0x10000 && c < 0x10FFFF);
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  while (!text.empty()) points += take_code_point(text);
  return points;
}

// What YAML 1.1 would read as something other than text.
bool reads_as_other(std::string_view text) {
  static const std::regex other(
      "|~|null|Null|NULL|=|<<|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"
      "|[-+]?([0-9][0-9_]*)\\.[0-9_]*([eE][-+][0-9]+)?|\\.[0-9][0-9_]*([eE][-+][0-9]+)?"
      "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
      "|[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+"
      "|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+"
      "|\\d{4}-\\d\\d-\\d\\d"
      "|\\d{4}-\\d\\d?-\\d\\d?([Tt]|[ \\t]+)\\d\\d?:\\d\\d:\\d\\d(\\.\\d*)?([ \\t]*(Z|[-+]\\d\\d?(:\\d\\d)?))?",
      std::regex::optimize);
  constexpr std::size_t longest = 500;  // std::regex recurses; no one writes a number that long
  return text.size() <= longest && std::regex_match(text.begin(), text.end(), other);
}

struct Styles {
  bool plain = true;
  bool single_quoted = true;
};

// Which ways of writing keep every character.
Styles styles_of(const std::u32string& text) {
  constexpr std::u32string_view never_first = U"#,[]{}&*!|>'\"%@`";
  Styles styles;
  bool blank_before = true, space_before = false, break_before = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    const bool blank_after = i + 1 >= text.size() || is_blank(text[i + 1]);
    if (i == 0 && never_first.find(c) != std::u32string_view::npos) styles.plain = false;
    if ((c == ':' || (i == 0 && (c == '?' || c == '-'))) && blank_after) styles.plain = false;
    if (c == '#' && blank_before) styles.plain = false;
    if (is_break(c)) styles.plain = false;
    if (!is_printable(c) || (is_break(c) && space_before) || (c == ' ' && break_before)) {
      return {false, false};
    }
    blank_before = is_blank(c);
    space_before = c == ' ';
    break_before = is_break(c);
  }
  const auto edge = [](char32_t c) { return c == ' ' || is_break(c); };
  if (!text.empty() && (edge(text.front()) || edge(text.back()))) styles.plain = false;
  if (text.starts_with(U"---") || text.starts_with(U"...")) styles.plain = false;
  return styles;
}

// A break is written as one more line than it means; the lines that follow are indented.
std::string single_quoted(const std::u32string& text, int indent) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (is_break(c)) {
      if (c == '\n' && (i == 0 || !is_break(text[i - 1]))) out += '\n';
      append_utf8(out, c);
      if (i + 1 == text.size() || !is_break(text[i + 1])) out.append(static_cast<std::size_t>(indent), ' ');
    } else {
      append_utf8(out, c);
      if (c == '\'') out += '\'';
    }
  }
  return out + "'";
}

void append_escape(std::string& out, char32_t c) {
  const auto code = static_cast<unsigned>(c);
  if (code < 0x100)
    out += fmt::format("\\x{:02X}", code);
  else if (code < 0x10000)
    out += fmt::format("\\u{:04X}", code);
  else
    out += fmt::format("\\U{:08X}", code);
}

std::string double_quoted(const std::u32string& text) {
  struct Short {
    char32_t point;
    char letter;
  };
  constexpr Short shorts[] = {{0, '0'},     {7, 'a'},    {8, 'b'},      {9, 't'},     {10, 'n'},
                              {11, 'v'},    {12, 'f'},   {13, 'r'},     {27, 'e'},    {'"', '"'},
                              {'\\', '\\'}, {0x85, 'N'}, {0x2028, 'L'}, {0x2029, 'P'}};
  std::string out = "\"";
  for (const char32_t c : text) {
    const auto* found =
        std::find_if(std::begin(shorts), std::end(shorts), [&](const Short& s) { return s.point == c; });
    if (found != std::end(shorts)) {
      out += {'\\', found->letter};
    } else if (is_printable(c) && c < 0x10000) {
      append_utf8(out, c);
    } else {
      append_escape(out, c);
    }
  }
  return out + "\"";
}

}  // namespace

std::string python_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string yaml_number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(value)) return value < 0 ? "-.inf" : ".inf";
  std::string text = python_number(value);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string yaml_text(std::string_view text, int indent) {
  const std::u32string points = code_points(text);
  const Styles styles = styles_of(points);
  std::string plain;
  for (const char32_t c : points) append_utf8(plain, c);
  if (styles.plain && !reads_as_other(plain)) return plain;
  return styles.single_quoted ? single_quoted(points, indent) : double_quoted(points);
}

std::string python_text(std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (const char32_t c : code_points(text)) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\\' || c == static_cast<char32_t>(quote)) {
      out += {'\\', static_cast<char>(c)};
    } else if (c < 0x20 || (c >= 0x7F && c <= 0xA0)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      append_utf8(out, c);
    }
  }
  return out + quote;
}

std::string terminal_text(std::string_view text) {
  std::string out;
  for (const char32_t c : code_points(text)) {
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
    if (control) {
      append_escape(out, c);
    } else {
      append_utf8(out, c);
    }
  }
  return out;
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_code_point(text);
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::string_view rest = text;
  for (; count > 0 && !rest.empty(); --count) take_code_point(rest);
  return text.substr(0, text.size() - rest.size());
}

}  // namespace tandem::app::ros
