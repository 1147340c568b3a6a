// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/ports/words.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace tandem::ur3e {
namespace {

constexpr std::size_t longest_line = 64;  // characters
constexpr std::string_view speed_words = "set speed ";

constexpr std::array<std::pair<std::string_view, Word>, 10> word_rows{{
    {"power on", Word::power_on},
    {"power off", Word::power_off},
    {"set robotmode run", Word::run},
    {"set robotmode freedrive", Word::freedrive},
    {"set unlock protective stop", Word::unlock},
    {"stop program", Word::stop},
    {"pause program", Word::pause},
    {"resume program", Word::resume},
    {"set sim", Word::simulation},
    {"set real", Word::real},
}};

bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The words with one blank between them; empty when there are too many.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_gap(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > longest_line) return {};
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::optional<ControllerWord> controller_word(std::string_view text) {
  const std::string line = one_line(text);
  for (const auto& [known, word] : word_rows)
    if (line == known) return ControllerWord{word, 0};
  if (!line.starts_with(speed_words)) return std::nullopt;
  double fraction = 0;
  const char* const end = line.data() + line.size();
  const auto [rest, failed] = std::from_chars(line.data() + speed_words.size(), end, fraction);
  if (failed != std::errc() || rest != end || !(fraction >= 0 && fraction <= 1)) return std::nullopt;
  return ControllerWord{Word::speed, fraction};
}

}  // namespace tandem::ur3e
