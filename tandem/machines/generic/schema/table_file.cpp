// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/machines/generic/text_file.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_table_bytes = 1 << 20;

std::optional<std::pair<double, double>> table_row(std::string_view line) {
  const std::size_t comma = line.find_first_of(",;\t");
  if (comma == line.npos) return std::nullopt;
  const auto time = yaml::number_from(trimmed(line.substr(0, comma)));
  const auto value = yaml::number_from(trimmed(line.substr(comma + 1)));
  if (!time || !value) return std::nullopt;
  return std::pair(*time, *value);
}

}  // namespace

Result<std::vector<std::pair<double, double>>> table_file(const std::string& path, const std::string& file) {
  const std::string place = beside(path, file);
  auto text = read_text(place, most_table_bytes);
  if (!text) return std::move(text).error();
  std::vector<std::pair<double, double>> rows;
  std::string_view rest = *text;
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view content = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (content.empty() || content.front() == '#') continue;
    const auto row = table_row(content);
    if (!row && line == 1) continue;
    const bool rising = row && row->first >= 0 && (rows.empty() || row->first > rows.back().first);
    if (!rising || rows.size() == most_table_rows)
      return Error{Fault::invalid,
                   fmt::format("{}:{}: expected {}, got '{}'", printable(place, 200), line,
                               rows.size() == most_table_rows ? fmt::format("at most {} rows", most_table_rows)
                                                              : "a rising time (s) and a value",
                               printable(content))};
    rows.push_back(*row);
  }
  if (rows.empty()) return Error{Fault::invalid, fmt::format("{}: expected rows, got none", printable(place, 200))};
  return rows;
}

}  // namespace tandem::generic
