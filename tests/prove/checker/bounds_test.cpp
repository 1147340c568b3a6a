// SPDX-License-Identifier: Apache-2.0
// What the checker judges by is what the documents promise.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tandem/prove/checker/bounds.hpp"

using namespace tandem::prove::checker;

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '|') {
      cell += line[i];
      continue;
    }
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    cell.clear();
  }
  return cells;
}

std::vector<std::vector<std::string>> rows_of(std::string_view document) {
  std::ifstream file(std::string(TANDEM_DOCS) + "/" + std::string(document));
  REQUIRE(file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("|")) rows.push_back(cells_of(line));
  return rows;
}

std::string printed(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace

TEST_CASE("the distances after a loss are those of the machines' documents") {
  for (const LossRow& row : loss_rows()) {
    CAPTURE(row.type);
    CAPTURE(row.verb);
    bool found = false;
    for (const auto& cells : rows_of(row.document)) {
      if (cells.empty() || cells[0] != row.row) continue;
      for (std::size_t i = 1; i < cells.size(); ++i) found = found || cells[i] == row.cell;
    }
    CHECK(found);
    const double written = std::stod(std::string(row.cell)) * (row.cell.ends_with("mm") ? 1e-3 : 1);
    CHECK(row.distance == doctest::Approx(written));
  }
}

TEST_CASE("the table of bounds in docs/prove.md is the checker's") {
  const auto rows = rows_of("prove.md");
  for (const Bounds& bounds : all_bounds()) {
    CAPTURE(bounds.type);
    if (!bounds.moves) continue;
    const std::vector<std::string> wanted{
        std::string(bounds.type),    printed(bounds.coast),     printed(bounds.stop_time),
        printed(bounds.loss_time),   printed(bounds.notice),    printed(bounds.link_back),
        printed(bounds.command_age), printed(bounds.published), printed(bounds.rest)};
    CHECK(std::find(rows.begin(), rows.end(), wanted) != rows.end());
  }
}
