// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/mode_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tandem::orca {
namespace {

struct ModeRow {
  Mode mode;
  std::string_view name;
};
constexpr std::array<ModeRow, 11> mode_rows{{{Mode::stabilize, "STABILIZE"},
                                             {Mode::acro, "ACRO"},
                                             {Mode::alt_hold, "ALT_HOLD"},
                                             {Mode::automatic, "AUTO"},
                                             {Mode::guided, "GUIDED"},
                                             {Mode::circle, "CIRCLE"},
                                             {Mode::surface, "SURFACE"},
                                             {Mode::poshold, "POSHOLD"},
                                             {Mode::manual, "MANUAL"},
                                             {Mode::motor_detect, "MOTOR_DETECT"},
                                             {Mode::surftrak, "SURFTRAK"}}};

bool same_word(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

}  // namespace

std::string mode_name(std::uint32_t mode) {
  for (const ModeRow& row : mode_rows)
    if (static_cast<std::uint32_t>(row.mode) == mode) return std::string(row.name);
  return fmt::format("mode {}", mode);
}

std::optional<Mode> mode_from(std::string_view text) {
  unsigned int number = 256;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool numeric = error == std::errc() && end == text.data() + text.size();
  for (const ModeRow& row : mode_rows)
    if (numeric ? static_cast<unsigned int>(row.mode) == number : same_word(row.name, text)) return row.mode;
  return std::nullopt;
}

std::string all_mode_names() {
  std::string all;
  for (const ModeRow& row : mode_rows) all += fmt::format("{}{}", all.empty() ? "" : ", ", row.name);
  return all;
}

}  // namespace tandem::orca
