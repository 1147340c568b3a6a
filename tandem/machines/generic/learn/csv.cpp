// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tandem/base/text.hpp"
#include "tandem/machines/generic/learn/proposal.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t longest_cell = 2000;  // bytes

class Cutter {
 public:
  Cutter(std::string_view text, char separator, std::size_t most_rows)
      : rest_(text), separator_(separator), most_rows_(most_rows) {}

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (!rest_.empty() && rows.size() < most_rows_) {
      CsvRow row{line_, {}};
      while (take_cell(row)) {
      }
      const bool blank = std::ranges::all_of(row.cells, [](const std::string& cell) { return cell.empty(); });
      if (!blank) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  // True while more cells of the row follow.
  bool take_cell(CsvRow& row) {
    std::string cell;
    std::size_t at = 0;
    while (at < rest_.size() && (rest_[at] == ' ' || (rest_[at] == '\t' && separator_ != '\t'))) ++at;
    if (at < rest_.size() && rest_[at] == '"') {
      at = take_quoted(at + 1, cell);
      while (at < rest_.size() && rest_[at] != separator_ && rest_[at] != '\n') ++at;
    } else {
      const std::size_t end = std::min(rest_.find_first_of(separator_ == ','   ? ",\n"
                                                           : separator_ == ';' ? ";\n"
                                                                               : "\t\n",
                                                           at),
                                       rest_.size());
      cell = rest_.substr(at, end - at);
      at = end;
    }
    if (row.cells.size() < most_csv_cells) row.cells.push_back(one_line(trimmed(cell), longest_cell));
    const bool more = at < rest_.size() && rest_[at] == separator_;
    if (at < rest_.size() && !more) ++line_;
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    return more;
  }

  std::size_t take_quoted(std::size_t at, std::string& cell) {
    for (; at < rest_.size(); ++at) {
      if (rest_[at] == '"') {
        if (at + 1 >= rest_.size() || rest_[at + 1] != '"') return at + 1;
        ++at;
      }
      if (rest_[at] == '\n') ++line_;
      cell += rest_[at];
    }
    return at;
  }

  std::string_view rest_;
  char separator_;
  std::size_t most_rows_;
  int line_ = 1;
};

// How many rows of the beginning have the number of cells that most have; 0 where that is one.
std::size_t agreement(std::string_view text, char separator) {
  std::map<std::size_t, std::size_t> counts;
  for (const CsvRow& row : Cutter(text, separator, 60).rows()) ++counts[row.cells.size()];
  std::size_t best = 0;
  for (const auto& [cells, rows] : counts) {
    if (cells > 1) best = std::max(best, rows * 100 + std::min<std::size_t>(cells, 50));
  }
  return best;
}

}  // namespace

Result<CsvTable> read_csv(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return Error{Fault::invalid, fmt::format("{}: expected UTF-8, got UTF-16; save the file as CSV in UTF-8", file)};
  if (text.substr(0, 512).find('\0') != text.npos)
    return Error{Fault::invalid, fmt::format("{}: expected a CSV file, got binary data; export the list as CSV", file)};
  if (text.size() > largest_csv)
    return Error{Fault::unsupported,
                 fmt::format("{}: expected at most {} bytes, got {}", file, largest_csv, text.size())};
  // "sep=;" in the first line is how spreadsheets are told.
  CsvTable table;
  if (text.starts_with("sep=") && text.size() > 5) {
    table.separator = text[4];
    text.remove_prefix(std::min(text.find('\n') == text.npos ? text.size() : text.find('\n') + 1, text.size()));
    if (table.separator != ',' && table.separator != ';' && table.separator != '\t')
      return Error{Fault::invalid, fmt::format("{}:1: expected a comma, semicolon or tab behind sep=", file)};
  } else {
    std::size_t best = 0;
    for (const char separator : {',', ';', '\t'}) {
      const std::size_t agreed = agreement(text, separator);
      if (agreed <= best) continue;
      best = agreed;
      table.separator = separator;
    }
  }
  table.rows = Cutter(text, table.separator, most_csv_rows).rows();
  if (table.rows.empty())
    return Error{Fault::invalid, fmt::format("{}: expected rows of a table, got an empty file", file)};
  return table;
}

}  // namespace tandem::generic
