// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/register_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/machines/generic/learn/register_cells.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t header_rows = 20;  // manuals put titles above the table

constexpr std::array<const char*, column_count> column_names = {"address", "name",      "description", "table",
                                                                "type",    "registers", "scale",       "divisor",
                                                                "offset",  "unit",      "access",      "order"};

struct HeaderWord {
  std::string_view text;  // letters and digits of the header, in lower case
  Column column;
};
// The first of a kind is the best.
constexpr std::array header_words = {
    HeaderWord{"address", Column::address},
    HeaderWord{"addr", Column::address},
    HeaderWord{"registeraddress", Column::address},
    HeaderWord{"modbusaddress", Column::address},
    HeaderWord{"modbusregister", Column::address},
    HeaderWord{"register", Column::address},
    HeaderWord{"reg", Column::address},
    HeaderWord{"registerno", Column::address},
    HeaderWord{"registernumber", Column::address},
    HeaderWord{"startaddress", Column::address},
    HeaderWord{"startregister", Column::address},
    HeaderWord{"adresse", Column::address},
    HeaderWord{"adress", Column::address},
    HeaderWord{"modbusadresse", Column::address},
    HeaderWord{"registeradresse", Column::address},
    HeaderWord{"addressdec", Column::address},
    HeaderWord{"addressdecimal", Column::address},
    HeaderWord{"decimaladdress", Column::address},
    HeaderWord{"addresshex", Column::address},
    HeaderWord{"hexaddress", Column::address},
    HeaderWord{"registers", Column::address},
    HeaderWord{"direccion", Column::address},
    HeaderWord{"name", Column::name},
    HeaderWord{"tag", Column::name},
    HeaderWord{"tagname", Column::name},
    HeaderWord{"signal", Column::name},
    HeaderWord{"signalname", Column::name},
    HeaderWord{"variable", Column::name},
    HeaderWord{"parameter", Column::name},
    HeaderWord{"parametername", Column::name},
    HeaderWord{"registername", Column::name},
    HeaderWord{"point", Column::name},
    HeaderWord{"pointname", Column::name},
    HeaderWord{"label", Column::name},
    HeaderWord{"symbol", Column::name},
    HeaderWord{"bezeichnung", Column::name},
    HeaderWord{"quantity", Column::name},
    HeaderWord{"measurement", Column::name},
    HeaderWord{"nom", Column::name},
    HeaderWord{"description", Column::comment},
    HeaderWord{"comment", Column::comment},
    HeaderWord{"comments", Column::comment},
    HeaderWord{"remark", Column::comment},
    HeaderWord{"remarks", Column::comment},
    HeaderWord{"note", Column::comment},
    HeaderWord{"notes", Column::comment},
    HeaderWord{"beschreibung", Column::comment},
    HeaderWord{"kommentar", Column::comment},
    HeaderWord{"bemerkung", Column::comment},
    HeaderWord{"values", Column::comment},
    HeaderWord{"meaning", Column::comment},
    HeaderWord{"details", Column::comment},
    HeaderWord{"table", Column::table},
    HeaderWord{"registertype", Column::table},
    HeaderWord{"typeofregister", Column::table},
    HeaderWord{"fc", Column::table},
    HeaderWord{"function", Column::table},
    HeaderWord{"functioncode", Column::table},
    HeaderWord{"modbusfunction", Column::table},
    HeaderWord{"area", Column::table},
    HeaderWord{"objecttype", Column::table},
    HeaderWord{"memoryarea", Column::table},
    HeaderWord{"funktion", Column::table},
    HeaderWord{"funktionscode", Column::table},
    HeaderWord{"registerart", Column::table},
    HeaderWord{"datatype", Column::type},
    HeaderWord{"format", Column::type},
    HeaderWord{"dataformat", Column::type},
    HeaderWord{"valuetype", Column::type},
    HeaderWord{"datentyp", Column::type},
    HeaderWord{"typ", Column::type},
    HeaderWord{"encoding", Column::type},
    HeaderWord{"type", Column::type},
    HeaderWord{"representation", Column::type},
    HeaderWord{"words", Column::words},
    HeaderWord{"length", Column::words},
    HeaderWord{"size", Column::words},
    HeaderWord{"count", Column::words},
    HeaderWord{"noofregisters", Column::words},
    HeaderWord{"numberofregisters", Column::words},
    HeaderWord{"registercount", Column::words},
    HeaderWord{"numregisters", Column::words},
    HeaderWord{"regs", Column::words},
    HeaderWord{"laenge", Column::words},
    HeaderWord{"scale", Column::scale},
    HeaderWord{"factor", Column::scale},
    HeaderWord{"gain", Column::scale},
    HeaderWord{"multiplier", Column::scale},
    HeaderWord{"scaling", Column::scale},
    HeaderWord{"scalefactor", Column::scale},
    HeaderWord{"scalingfactor", Column::scale},
    HeaderWord{"faktor", Column::scale},
    HeaderWord{"skalierung", Column::scale},
    HeaderWord{"resolution", Column::scale},
    HeaderWord{"divisor", Column::divisor},
    HeaderWord{"divider", Column::divisor},
    HeaderWord{"teiler", Column::divisor},
    HeaderWord{"offset", Column::offset},
    HeaderWord{"unit", Column::unit},
    HeaderWord{"units", Column::unit},
    HeaderWord{"einheit", Column::unit},
    HeaderWord{"uom", Column::unit},
    HeaderWord{"engineeringunit", Column::unit},
    HeaderWord{"access", Column::access},
    HeaderWord{"rw", Column::access},
    HeaderWord{"readwrite", Column::access},
    HeaderWord{"accesstype", Column::access},
    HeaderWord{"zugriff", Column::access},
    HeaderWord{"permission", Column::access},
    HeaderWord{"mode", Column::access},
    HeaderWord{"order", Column::order},
    HeaderWord{"endian", Column::order},
    HeaderWord{"endianness", Column::order},
    HeaderWord{"byteorder", Column::order},
    HeaderWord{"wordorder", Column::order},
    HeaderWord{"swap", Column::order},
    HeaderWord{"registerorder", Column::order},
};

// The word with the brackets removed: "Address (dec)" is "address", "Scale [1/x]" is "scale".
std::optional<std::size_t> rank_of(const std::string& header) {
  const std::string whole = bare_word(header);
  const std::string bare = bare_word(header.substr(0, header.find_first_of("([/")));
  for (const std::string& text : {whole, bare}) {
    const auto found = std::ranges::find(header_words, text, &HeaderWord::text);
    if (!text.empty() && found != header_words.end()) return static_cast<std::size_t>(found - header_words.begin());
  }
  return std::nullopt;
}

struct Header {
  RegisterColumns columns;
  int other_type = -1;  // a second column that may be the type, or the table
  std::size_t known = 0;
};

Header read_header(const CsvRow& row) {
  Header out;
  out.columns.at.fill(-1);
  std::array<std::size_t, column_count> ranks{};
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto rank = rank_of(row.cells[i]);
    if (!rank) continue;
    const auto column = static_cast<std::size_t>(header_words[*rank].column);
    const bool is_type = header_words[*rank].column == Column::type;
    if (is_type && out.columns.at[column] >= 0)
      out.other_type = ranks[column] <= *rank ? static_cast<int>(i) : out.columns.at[column];
    if (out.columns.at[column] >= 0 && ranks[column] <= *rank) continue;
    if (out.columns.at[column] < 0) ++out.known;
    out.columns.at[column] = static_cast<int>(i);
    ranks[column] = *rank;
  }
  return out;
}

bool holds_tables(const CsvTable& table, std::size_t first_row, int column) {
  std::size_t types = 0, tables = 0;
  for (std::size_t i = first_row; column >= 0 && i < table.rows.size(); ++i) {
    const auto& cells = table.rows[i].cells;
    if (static_cast<std::size_t>(column) >= cells.size()) continue;
    const std::string& cell = cells[static_cast<std::size_t>(column)];
    if (type_cell(cell)) {
      ++types;
    } else if (table_cell(cell)) {
      ++tables;
    }
  }
  return tables > types;
}

// "Type" may mean either: its cells decide.
void settle(const CsvTable& table, Header& header) {
  RegisterColumns& columns = header.columns;
  int& type = columns.at[static_cast<std::size_t>(Column::type)];
  int& of_table = columns.at[static_cast<std::size_t>(Column::table)];
  if (of_table >= 0) return;
  if (holds_tables(table, columns.first_row, header.other_type)) {
    of_table = header.other_type;
  } else if (holds_tables(table, columns.first_row, type)) {
    of_table = type;
    type = header.other_type;
  }
}

void describe_columns(const CsvRow& header, RegisterColumns& columns) {
  for (std::size_t i = 0; i < column_count; ++i) {
    if (columns.at[i] < 0) continue;
    columns.found += fmt::format("{}{}: '{}'", columns.found.empty() ? "" : ", ", column_names[i],
                                 one_line(header.cells[static_cast<std::size_t>(columns.at[i])], 40));
  }
  for (std::size_t i = 0; i < header.cells.size(); ++i) {
    if (header.cells[i].empty() || std::ranges::find(columns.at, static_cast<int>(i)) != columns.at.end()) continue;
    columns.ignored += fmt::format("{}'{}'", columns.ignored.empty() ? "" : ", ", one_line(header.cells[i], 40));
  }
}

}  // namespace

Result<RegisterColumns> find_columns(const CsvTable& table, const std::string& file) {
  Header best;
  std::size_t row = 0;
  for (std::size_t i = 0; i < std::min(header_rows, table.rows.size()); ++i) {
    Header header = read_header(table.rows[i]);
    if (header.columns.at[static_cast<std::size_t>(Column::address)] < 0 || header.known <= best.known) continue;
    best = std::move(header);
    row = i;
  }
  if (best.known < 2) {
    std::string got;
    for (const std::string& cell : table.rows.front().cells)
      got += fmt::format("{}'{}'", got.empty() ? "" : ", ", one_line(cell, 30));
    return Error{Fault::invalid,
                 fmt::format("{}:{}: expected a header with `address` and at least one of name, description, table, "
                             "type, scale, offset, unit, access, order; got {}",
                             file, table.rows.front().line, one_line(got, 300))};
  }
  best.columns.first_row = row + 1;
  settle(table, best);
  describe_columns(table.rows[row], best.columns);
  return best.columns;
}

}  // namespace tandem::generic
