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

constexpr std::array<const char*, column_count> names = {"address", "name",    "description", "table", "type",   "registers",
                                                         "scale",   "divisor", "offset",      "unit",  "access", "order"};

struct Word {
  std::string_view text;  // letters and digits of the header, in lower case
  Column column;
};
// The first of a kind is the best.
constexpr std::array words = {
    Word{"address", Column::address},       Word{"addr", Column::address},          Word{"registeraddress", Column::address},
    Word{"modbusaddress", Column::address}, Word{"modbusregister", Column::address}, Word{"register", Column::address},
    Word{"reg", Column::address},           Word{"registerno", Column::address},    Word{"registernumber", Column::address},
    Word{"startaddress", Column::address},  Word{"startregister", Column::address}, Word{"adresse", Column::address},
    Word{"adress", Column::address},        Word{"modbusadresse", Column::address}, Word{"registeradresse", Column::address},
    Word{"addressdec", Column::address},    Word{"addressdecimal", Column::address}, Word{"decimaladdress", Column::address},
    Word{"addresshex", Column::address},    Word{"hexaddress", Column::address},    Word{"registers", Column::address},
    Word{"direccion", Column::address},     Word{"name", Column::name},             Word{"tag", Column::name},
    Word{"tagname", Column::name},          Word{"signal", Column::name},           Word{"signalname", Column::name},
    Word{"variable", Column::name},         Word{"parameter", Column::name},        Word{"parametername", Column::name},
    Word{"registername", Column::name},     Word{"point", Column::name},            Word{"pointname", Column::name},
    Word{"label", Column::name},            Word{"symbol", Column::name},           Word{"bezeichnung", Column::name},
    Word{"quantity", Column::name},         Word{"measurement", Column::name},      Word{"nom", Column::name},
    Word{"description", Column::comment},   Word{"comment", Column::comment},       Word{"comments", Column::comment},
    Word{"remark", Column::comment},        Word{"remarks", Column::comment},       Word{"note", Column::comment},
    Word{"notes", Column::comment},         Word{"beschreibung", Column::comment},  Word{"kommentar", Column::comment},
    Word{"bemerkung", Column::comment},     Word{"values", Column::comment},        Word{"meaning", Column::comment},
    Word{"details", Column::comment},       Word{"table", Column::table},           Word{"registertype", Column::table},
    Word{"typeofregister", Column::table},  Word{"fc", Column::table},              Word{"function", Column::table},
    Word{"functioncode", Column::table},    Word{"modbusfunction", Column::table},  Word{"area", Column::table},
    Word{"objecttype", Column::table},      Word{"memoryarea", Column::table},      Word{"funktion", Column::table},
    Word{"funktionscode", Column::table},   Word{"registerart", Column::table},     Word{"datatype", Column::type},
    Word{"format", Column::type},           Word{"dataformat", Column::type},       Word{"valuetype", Column::type},
    Word{"datentyp", Column::type},         Word{"typ", Column::type},              Word{"encoding", Column::type},
    Word{"type", Column::type},             Word{"representation", Column::type},   Word{"words", Column::words},
    Word{"length", Column::words},          Word{"size", Column::words},            Word{"count", Column::words},
    Word{"noofregisters", Column::words},   Word{"numberofregisters", Column::words}, Word{"registercount", Column::words},
    Word{"numregisters", Column::words},    Word{"regs", Column::words},            Word{"laenge", Column::words},
    Word{"scale", Column::scale},           Word{"factor", Column::scale},          Word{"gain", Column::scale},
    Word{"multiplier", Column::scale},      Word{"scaling", Column::scale},         Word{"scalefactor", Column::scale},
    Word{"scalingfactor", Column::scale},   Word{"faktor", Column::scale},          Word{"skalierung", Column::scale},
    Word{"resolution", Column::scale},      Word{"divisor", Column::divisor},       Word{"divider", Column::divisor},
    Word{"teiler", Column::divisor},        Word{"offset", Column::offset},         Word{"unit", Column::unit},
    Word{"units", Column::unit},            Word{"einheit", Column::unit},          Word{"uom", Column::unit},
    Word{"engineeringunit", Column::unit},  Word{"access", Column::access},         Word{"rw", Column::access},
    Word{"readwrite", Column::access},      Word{"accesstype", Column::access},     Word{"zugriff", Column::access},
    Word{"permission", Column::access},     Word{"mode", Column::access},           Word{"order", Column::order},
    Word{"endian", Column::order},          Word{"endianness", Column::order},      Word{"byteorder", Column::order},
    Word{"wordorder", Column::order},       Word{"swap", Column::order},            Word{"registerorder", Column::order},
};

// The word with the brackets removed: "Address (dec)" is "address", "Scale [1/x]" is "scale".
std::optional<std::size_t> rank_of(const std::string& header) {
  const std::string whole = bare_word(header);
  const std::string bare = bare_word(header.substr(0, header.find_first_of("([/")));
  for (const std::string& text : {whole, bare}) {
    const auto found = std::ranges::find(words, text, &Word::text);
    if (!text.empty() && found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  return std::nullopt;
}

struct Header {
  RegisterColumns columns;
  std::size_t known = 0;
};

Header read_header(const CsvRow& row) {
  Header out;
  out.columns.at.fill(-1);
  std::array<std::size_t, column_count> ranks{};
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const auto rank = rank_of(row.cells[i]);
    if (!rank) continue;
    const auto column = static_cast<std::size_t>(words[*rank].column);
    if (out.columns.at[column] >= 0 && ranks[column] <= *rank) continue;
    if (out.columns.at[column] < 0) ++out.known;
    out.columns.at[column] = static_cast<int>(i);
    ranks[column] = *rank;
  }
  return out;
}

// "Type" may mean either: its cells decide. "Registers" beside an address is how many.
void settle(const CsvTable& table, RegisterColumns& columns) {
  int& type = columns.at[static_cast<std::size_t>(Column::type)];
  int& of_table = columns.at[static_cast<std::size_t>(Column::table)];
  if (type < 0 || of_table >= 0) return;
  std::size_t types = 0, tables = 0;
  for (std::size_t i = columns.first_row; i < table.rows.size(); ++i) {
    const auto& cells = table.rows[i].cells;
    if (static_cast<std::size_t>(type) >= cells.size()) continue;
    const std::string& cell = cells[static_cast<std::size_t>(type)];
    if (type_cell(cell)) ++types;
    else if (table_cell(cell)) ++tables;
  }
  if (tables > types) {
    of_table = type;
    type = -1;
  }
}

void describe(const CsvRow& header, RegisterColumns& columns) {
  for (std::size_t i = 0; i < column_count; ++i) {
    if (columns.at[i] < 0) continue;
    columns.found += fmt::format("{}{}: '{}'", columns.found.empty() ? "" : ", ", names[i],
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
    for (const std::string& cell : table.rows.front().cells) got += fmt::format("{}'{}'", got.empty() ? "" : ", ", one_line(cell, 30));
    return Error{Fault::invalid,
                 fmt::format("{}:{}: expected a header with `address` and at least one of name, description, table, "
                             "type, scale, offset, unit, access, order; got {}",
                             file, table.rows.front().line, one_line(got, 300))};
  }
  best.columns.first_row = row + 1;
  settle(table, best.columns);
  describe(table.rows[row], best.columns);
  return best.columns;
}

}  // namespace tandem::generic
