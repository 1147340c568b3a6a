// SPDX-License-Identifier: Apache-2.0
// Units and enumerations out of the comments of PLC programs and register lists.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "tandem/base/text.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/machines/generic/units.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_unit = 16, longest_label = 32, longest_state = 40;
constexpr std::size_t most_states = 64;

bool has_letter_or_sign(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (c & 0x80) != 0; });
}

// What is in the last pair of brackets, if it may be a unit.
std::string in_brackets(std::string_view text, char open, char close) {
  const std::size_t end = text.rfind(close);
  if (end == text.npos) return "";
  const std::size_t begin = text.rfind(open, end);
  if (begin == text.npos) return "";
  const std::string_view inner = trimmed(text.substr(begin + 1, end - begin - 1));
  if (inner.empty() || inner.size() > longest_unit || !has_letter_or_sign(inner)) return "";
  const bool blank = inner.find(' ') != inner.npos || inner.find(',') != inner.npos || inner.find("..") != inner.npos;
  return blank ? "" : std::string(inner);
}

bool is_known(std::string_view text) { return !text.empty() && unit_named(unit_from(text)).has_value(); }

}  // namespace

std::string one_line(std::string_view text, std::size_t longest) {
  std::string out;
  const auto add = [&](char32_t point) {
    const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 ||
                         point == 0xFEFF || point == 0xFFFE || point == 0xFFFF;
    if (control || point == ' ') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      append_utf8(out, point);
    }
  };
  const bool utf8 = is_utf8(text);
  while (!text.empty() && out.size() < longest) {
    if (utf8) {
      add(take_code_point(text));
    } else {
      add(static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    }
  }
  if (!trimmed(text).empty()) out += "...";
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string unit_from(std::string_view text) {
  std::string unit = one_line(trimmed(text), 200);
  if (unit.size() > longest_label) return "";  // a sentence
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 40> spellings = {{
      {"\u00B0C", "Cel"}, {"\u00BAC", "Cel"},    {"degC", "Cel"},   {"deg C", "Cel"},      {"deg. C", "Cel"},
      {"\u2103", "Cel"},  {"C", "Cel"},          {"\u00B0", "deg"}, {"\u00BA", "deg"},     {"Grad", "deg"},
      {"degrees", "deg"}, {"l/min", "L/min"},    {"lpm", "L/min"},  {"LPM", "L/min"},      {"l", "L"},
      {"ltr", "L"},       {"m\u00B3/h", "m3/h"}, {"m^3/h", "m3/h"}, {"cbm/h", "m3/h"},     {"RPM", "rpm"},
      {"U/min", "rpm"},   {"1/min", "rpm"},      {"min-1", "rpm"},  {"r/min", "rpm"},      {"Upm", "rpm"},
      {"rev/min", "rpm"}, {"\u00B5m", "um"},     {"\u03BCm", "um"}, {"sec", "s"},          {"Sek", "s"},
      {"seconds", "s"},   {"msec", "ms"},        {"Nm", "N.m"},     {"percent", "%"},      {"pct", "%"},
      {"Bar", "bar"},     {"BAR", "bar"},        {"PSI", "psi"},    {"\u00B0/s", "deg/s"}, {"kmh", "km/h"},
  }};
  for (const auto& [written, ours] : spellings) {
    if (unit == written) return std::string(ours);
  }
  return unit == "-" || unit == "--" || unit == "n/a" || unit == "none" ? "" : unit;
}

std::string unit_in(std::string_view comment) {
  const std::string line = one_line(comment, 400);
  if (auto unit = in_brackets(line, '[', ']'); !unit.empty()) return unit_from(unit);
  if (const auto unit = in_brackets(line, '(', ')'); is_known(unit)) return unit_from(unit);
  // "speed in mm/s", "speed, mm/s": a known unit as the last word, after a word that announces it.
  const std::string_view text = trimmed(line, " .;,");
  const std::size_t blank = text.rfind(' ');
  if (blank == text.npos) return "";
  const std::string_view last = text.substr(blank + 1), before = trimmed(text.substr(0, blank));
  if (before.empty() || !is_known(last)) return "";
  const bool announced = before.back() == ',' || before.back() == ':' || before == "in" || before.ends_with(" in");
  // A word of letters alone may be one of the sentence: "is on s", "level h".
  return announced || last.find('/') != last.npos || last == "%" ? unit_from(last) : "";
}

Names names_in(std::string_view comment) {
  const std::string line = one_line(comment, 2000);
  Names names;
  std::size_t at = 0;
  while (at < line.size() && names.size() < most_states) {
    const bool begins =
        line[at] >= '0' && line[at] <= '9' &&
        (at == 0 || line[at - 1] == ' ' || line[at - 1] == ',' || line[at - 1] == ';' || line[at - 1] == '(');
    if (!begins) {
      ++at;
      continue;
    }
    std::int64_t value = 0;
    const char* end = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data() + at, end, value);
    std::size_t next = static_cast<std::size_t>(after - line.data());
    while (next < line.size() && line[next] == ' ') ++next;
    const bool assigned = error == std::errc() && next < line.size() && (line[next] == '=' || line[next] == ':');
    if (!assigned) {
      at = next + 1;
      continue;
    }
    const std::size_t stop = std::min(line.find_first_of(",;|/)", next + 1), line.size());
    const std::string_view text = trimmed(std::string_view(line).substr(next + 1, stop - next - 1));
    // Both the numbers and the texts of a file differ from each other.
    const bool twice =
        std::ranges::any_of(names, [&](const auto& each) { return each.first == value || each.second == text; });
    if (!text.empty() && text.size() <= longest_state && !twice) names.emplace_back(value, text);
    at = stop;
  }
  return names.size() < 2 ? Names{} : names;
}

}  // namespace tandem::generic
