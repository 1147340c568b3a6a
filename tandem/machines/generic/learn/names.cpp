// SPDX-License-Identifier: Apache-2.0
// Names of signals out of names of others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "tandem/base/utf8.hpp"
#include "tandem/machines/generic/learn/characters.hpp"
#include "tandem/machines/generic/learn/proposal.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_name = 64;

// Letters of European languages in ASCII; nothing for what has no such form.
std::string_view in_ascii(char32_t point) {
  struct Row {
    char32_t first, last;
    std::string_view text;
  };
  static constexpr std::array rows = {
      Row{0xB0, 0xB0, "deg"}, Row{0xB5, 0xB5, "u"},   Row{0xC0, 0xC3, "A"},   Row{0xC4, 0xC4, "Ae"},
      Row{0xC5, 0xC5, "A"},   Row{0xC6, 0xC6, "Ae"},  Row{0xC7, 0xC7, "C"},   Row{0xC8, 0xCB, "E"},
      Row{0xCC, 0xCF, "I"},   Row{0xD1, 0xD1, "N"},   Row{0xD2, 0xD5, "O"},   Row{0xD6, 0xD6, "Oe"},
      Row{0xD8, 0xD8, "Oe"},  Row{0xD9, 0xDB, "U"},   Row{0xDC, 0xDC, "Ue"},  Row{0xDF, 0xDF, "ss"},
      Row{0xE0, 0xE3, "a"},   Row{0xE4, 0xE4, "ae"},  Row{0xE5, 0xE5, "a"},   Row{0xE6, 0xE6, "ae"},
      Row{0xE7, 0xE7, "c"},   Row{0xE8, 0xEB, "e"},   Row{0xEC, 0xEF, "i"},   Row{0xF1, 0xF1, "n"},
      Row{0xF2, 0xF5, "o"},   Row{0xF6, 0xF6, "oe"},  Row{0xF8, 0xF8, "oe"},  Row{0xF9, 0xFB, "u"},
      Row{0xFC, 0xFC, "ue"},  Row{0x3BC, 0x3BC, "u"}, Row{0x394, 0x394, "d"},
  };
  for (const Row& row : rows) {
    if (point >= row.first && point <= row.last) return row.text;
  }
  return {};
}

std::string ascii_of(std::string_view text) {
  const std::string line = one_line(text, 1000);
  std::string out;
  for (std::string_view rest = line; !rest.empty();) {
    const char32_t point = take_code_point(rest);
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else {
      const std::string_view form = in_ascii(point);
      out += form.empty() ? std::string_view(" ") : form;
    }
  }
  return out;
}

// "MotorSpeed2 (act.)" is "motor_speed2_act".
std::string snake_case(std::string_view text) {
  const std::string plain = ascii_of(text);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i], before = i > 0 ? plain[i - 1] : ' ', after = i + 1 < plain.size() ? plain[i + 1] : ' ';
    if (!ascii::is_upper(c) && !ascii::is_lower(c) && !ascii::is_digit(c)) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    const bool begins = ascii::is_upper(c) && (ascii::is_lower(before) || ascii::is_digit(before) ||
                                               (ascii::is_upper(before) && ascii::is_lower(after)));
    if (begins && !out.empty() && out.back() != '_') out += '_';
    out += ascii::lower(c);
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

// The prefixes of Hungarian notation that PLC programmers use: fSpeed, nCount, stBelt, aBelt, bDone.
std::string_view without_prefix(std::string_view name) {
  static constexpr std::array<std::string_view, 33> prefixes = {
      "a", "ar", "arr", "b",  "by", "c",  "d",   "di", "dt", "dw", "e",   "f",  "fb", "g", "i", "l", "lr",
      "n", "p",  "r",   "rt", "s",  "st", "str", "t",  "u",  "ud", "udi", "ui", "v",  "w", "x", "ls"};
  std::size_t end = 0;
  while (end < name.size() && ascii::is_lower(name[end])) ++end;
  const bool known = std::ranges::find(prefixes, name.substr(0, end)) != prefixes.end();
  return known && end < name.size() && ascii::is_upper(name[end]) ? name.substr(end) : name;
}

// What expressions and YAML use for themselves.
bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 35> words = {
      "and",   "or",   "not",  "t",   "dt",  "pi",  "true",  "false", "abs",   "min",  "max",  "clamp",
      "sqrt",  "exp",  "log",  "sin", "cos", "tan", "atan2", "floor", "round", "sign", "step", "lerp",
      "noise", "prev", "rise", "yes", "no",  "on",  "off",   "null",  "none",  "nan",  "inf"};
  return std::ranges::find(words, name) != words.end();
}

std::string valid_name(std::string_view text) {
  std::string name = snake_case(text);
  if (name.empty()) name = "signal";
  if (!ascii::is_lower(name.front())) name = "signal_" + name;
  if (name.size() > longest_name) name.resize(longest_name);
  while (name.back() == '_') name.pop_back();
  if (is_reserved(name)) name += "_value";
  return name;
}

bool is_taken(const std::string& name, const std::vector<ProposedSignal>& taken) {
  return std::ranges::find(taken, name, &ProposedSignal::name) != taken.end();
}

std::string numbered(const std::string& name, const std::vector<ProposedSignal>& taken) {
  if (!is_taken(name, taken)) return name;
  for (std::size_t number = 2;; ++number) {
    const std::string suffix = fmt::format("_{}", number);
    std::string next = name.substr(0, longest_name - suffix.size()) + suffix;
    if (!is_taken(next, taken)) return next;
  }
}

}  // namespace

std::string signal_name_from(std::string_view text, const std::vector<ProposedSignal>& taken) {
  return numbered(valid_name(text), taken);
}

std::string signal_name_from_path(std::string_view path, const std::vector<ProposedSignal>& taken) {
  std::string text;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t dot = rest.rfind('.');
    const std::string_view part = dot == rest.npos ? rest : rest.substr(dot + 1);
    rest = dot == rest.npos ? std::string_view() : rest.substr(0, dot);
    text = fmt::format("{}{}{}", without_prefix(part), text.empty() ? "" : " ", text);
    std::string name = valid_name(text);
    if (!is_taken(name, taken)) return name;
  }
  return numbered(valid_name(path), taken);
}

}  // namespace tandem::generic
