// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/register_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/machines/generic/learn/csv.hpp"
#include "tandem/machines/generic/learn/register_cells.hpp"
#include "tandem/machines/generic/learn/register_columns.hpp"
#include "tandem/machines/generic/learn/register_rows.hpp"
#include "tandem/machines/generic/modbus_layout.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_complaints = 20;  // about single rows, in the remarks

class List {
 public:
  List(RegisterRows rows, const RegisterColumns& columns, const std::string& file, const RegisterListOptions& options,
       bool decimal_comma)
      : rows_(std::move(rows)), columns_(columns), file_(file), options_(options), comma_(decimal_comma) {}

  Result<ProposedDevice> run() {
    device_.machine = options_.machine;
    device_.device = options_.device;
    choose_order();
    for (const RegisterRow& entry : rows_.rows) add(entry);
    mark_aliases();
    remark();
    if (auto good = check(device_); !good) return within(file_, std::move(good).error());
    return std::move(device_);
  }

 private:
  std::string cell(const RegisterRow& entry, Column column) const { return entry.cell(columns_, column); }
  void complain(int line, const std::string& text) {
    rows_.complaints.push_back(fmt::format("line {}: {}", line, text));
  }

  // What most rows with an order have.
  void choose_order() {
    std::array<std::size_t, 4> votes{};
    std::size_t count = 0;
    for (const RegisterRow& entry : rows_.rows) {
      if (const auto order = order_of(entry)) {
        ++votes[static_cast<std::size_t>(order->order)];
        ++count;
      }
    }
    const auto best = std::ranges::max_element(votes);
    if (count == 0 || *best * 2 <= count) return;
    order_ = static_cast<modbus::WordOrder>(best - votes.begin());
    if (order_ != modbus::WordOrder::abcd) device_.order = modbus::name(order_);
  }
  std::optional<OrderCell> order_of(const RegisterRow& entry) const {
    if (const auto order = order_cell(cell(entry, Column::order))) return order;
    const auto type = type_cell(cell(entry, Column::type));
    if (type && type->order) return OrderCell{*type->order, false};
    return std::nullopt;
  }

  // How the file will say it, and where it is on the wire.
  std::optional<std::string> place(RegisterRow& entry) {
    const AddressCell& address = entry.address;
    std::string text;
    if (rows_.base == 40001) {
      const bool short_coil = address.digits < 5;
      if (!short_coil && !names_its_table(address, 5) && !names_its_table(address, 6)) return std::nullopt;
      const std::uint32_t unit = address.digits == 6 ? 100'000 : 10'000;
      constexpr std::array<ModbusTable, 5> by_digit = {ModbusTable::coil, ModbusTable::discrete, ModbusTable::coil,
                                                       ModbusTable::input, ModbusTable::holding};
      if (!short_coil) entry.table = by_digit[address.number / unit];
      wire_ = address.number % unit - 1;
      text = fmt::format("{:0{}}", address.number, std::max(address.digits, 5));
      if (address.number % unit == 0) return std::nullopt;
    } else {
      if (!entry.table) entry.table = default_table(entry);
      const std::uint32_t first = rows_.base == 1 ? 1 : 0;
      if (address.number < first || address.number - first > 65535) return std::nullopt;
      wire_ = address.number - first;
      text = fmt::format("{} {}", name(*entry.table), address.number);
    }
    if (address.bit >= 0 && !has_bits(*entry.table)) text += fmt::format(".{}", address.bit);
    return text;
  }
  ModbusTable default_table(const RegisterRow& entry) {
    guessed_table_ = true;
    const auto type = type_cell(cell(entry, Column::type));
    return type && type->type == Type::bit && entry.address.bit < 0 ? ModbusTable::coil : ModbusTable::holding;
  }

  // Of a register that is not a bit. `words`: how many the list gives it, 0: it does not say.
  static Type widened(Type type, std::uint32_t words) {
    const bool is_unsigned = type == Type::uint16 || type == Type::uint32 || type == Type::uint64;
    const bool floating = type == Type::float32 || type == Type::float64;
    if (words == 2) return floating ? Type::float32 : is_unsigned ? Type::uint32 : Type::int32;
    if (words == 4) return floating ? Type::float64 : is_unsigned ? Type::uint64 : Type::int64;
    return type;
  }

  std::uint32_t words_said(const RegisterRow& entry) const {
    if (entry.address.count > 1) return entry.address.count;
    const auto words = number_cell(cell(entry, Column::words), false);
    return words && *words >= 1 && *words <= 125 && *words == std::floor(*words) ? static_cast<std::uint32_t>(*words)
                                                                                 : 0;
  }

  void set_type(const RegisterRow& entry, ProposedSignal& signal) {
    const std::string text = cell(entry, Column::type);
    const std::uint32_t words = words_said(entry);
    TypeCell type;
    if (const auto read = type_cell(text)) {
      type = *read;
    } else {
      type.type = Type::int16;
      if (!text.empty())
        signal.reasons.push_back(
            fmt::format("type '{}' is not known: {} taken", one_line(text, 40), words > 1 ? "an integer" : "int16"));
    }
    words_ = 1;
    if (type.type == Type::text) {
      const std::size_t length = type.length > 0 ? type.length : words > 0 ? std::size_t{words} * 2 : 20;
      signal.type = fmt::format("string {}", std::min<std::size_t>(length, 250));
      words_ = static_cast<std::uint32_t>(std::min<std::size_t>(length, 250) + 1) / 2;
      if (type.length == 0 && words == 0) signal.reasons.emplace_back("length of the text: not in the list, 20 taken");
      return;
    }
    Type chosen = type.type == Type::bit ? Type::uint16 : type.type;
    if (type.type == Type::bit)
      signal.reasons.emplace_back("a bit of a register: write its number behind the address, such as .3");
    const auto size = static_cast<std::uint32_t>(bytes_of(chosen) / 2);
    if (words > size || (words > 0 && !type.sized)) {
      const Type wide = widened(chosen, words);
      if (wide == chosen && words > size)
        signal.reasons.push_back(fmt::format("the list gives it {} registers, {} has {}", words, name(chosen), size));
      if (wide != chosen && type.sized)
        signal.reasons.push_back(fmt::format("'{}' in the list, but {} registers", one_line(text, 40), words));
      chosen = wide;
    }
    words_ = static_cast<std::uint32_t>(bytes_of(chosen) / 2);
    if (chosen != Type::int16) signal.type = name(chosen);
    if (words_ > 1) set_order(entry, signal);
  }

  void set_order(const RegisterRow& entry, ProposedSignal& signal) {
    const std::string text = cell(entry, Column::order);
    const auto order = order_of(entry);
    if (!order && !text.empty())
      signal.reasons.push_back(fmt::format("order '{}' is not known: abcd, cdab, badc or dcba", one_line(text, 40)));
    if (!order) return;
    if (order->order != order_) signal.order = modbus::name(order->order);
    if (order->ambiguous) {
      signal.reasons.push_back(fmt::format("order '{}' may mean more than {}: compare a known value",
                                           one_line(text, 40), modbus::name(order->order)));
    }
  }

  void set_scale(const RegisterRow& entry, ProposedSignal& signal) const {
    const auto take = [&](Column column, bool inverse, std::string& into) {
      const std::string text = cell(entry, column);
      if (text.empty()) return;
      const auto value = column == Column::offset ? number_cell(text, comma_) : scale_cell(text, comma_);
      if (!value) {
        if (text != "-" && text != "n/a")
          signal.reasons.push_back(fmt::format("{} '{}' is not a number", column == Column::offset ? "offset" : "scale",
                                               one_line(text, 40)));
        return;
      }
      const double number = inverse ? 1 / *value : *value;
      if (number != (column == Column::offset ? 0 : 1)) into = shortest_number(number);
    };
    take(Column::scale, false, signal.scale);
    if (signal.scale.empty()) take(Column::divisor, true, signal.scale);
    take(Column::offset, false, signal.offset);
    const auto scale = number_cell(signal.scale, false);
    if (scale && *scale >= 10 && std::fmod(std::log10(*scale), 1.0) == 0) {
      signal.reasons.push_back(fmt::format("value = raw * {0}; some manuals mean raw / {0}", signal.scale));
    }
  }

  void describe(const RegisterRow& entry, ProposedSignal& signal) const {
    const std::string comment = cell(entry, Column::comment);
    if (!comment.empty()) signal.reasons.push_back(one_line(comment, 200));
    signal.unit = unit_from(cell(entry, Column::unit));
    if (signal.unit.empty()) signal.unit = unit_in(cell(entry, Column::name));
    if (signal.unit.empty()) signal.unit = unit_in(comment);
    const bool number = signal.type == "float32" || signal.type == "float64" || signal.type.starts_with("string");
    if (!number) signal.names = names_in(comment);
    if (!signal.names.empty() && (!signal.scale.empty() || !signal.offset.empty() || !signal.unit.empty()))
      signal.names.clear();
    if (signal.type.starts_with("string")) signal.unit.clear();
  }

  void add(const RegisterRow& given) {
    RegisterRow entry = given;
    const auto at = place(entry);
    if (!at)
      return complain(entry.line,
                      fmt::format("expected an address that counts like the others, got {}", entry.address.number));
    const bool bit = has_bits(*entry.table) || entry.address.bit >= 0;
    ProposedSignal signal;
    std::string called = cell(entry, Column::name);
    if (called.empty()) called = cell(entry, Column::comment);
    if (called.empty()) called = fmt::format("{}_{}", name(*entry.table), wire_);
    // Without the unit that is in brackets behind it.
    const std::string unit_free = called.substr(0, called.find_first_of("[("));
    signal.name = signal_name_from(bare_word(unit_free).empty() ? called : unit_free, device_.signals);
    signal.at = *at;
    words_ = 1;
    if (!bit) {
      set_type(entry, signal);
      if (!signal.type.starts_with("string")) set_scale(entry, signal);
      describe(entry, signal);
    } else if (const auto comment = cell(entry, Column::comment); !comment.empty()) {
      signal.reasons.push_back(one_line(comment, 200));
    }
    if (wire_ + words_ > modbus::address_count)
      return complain(entry.line, fmt::format("expected to end at address 65535, got {}", wire_ + words_ - 1));
    note_access(entry, signal, bit);
    places_.push_back({*entry.table,
                       wire_ * 16 + static_cast<std::uint32_t>(bit && !has_bits(*entry.table) ? entry.address.bit : 0),
                       bit && !has_bits(*entry.table) ? 1 : words_ * 16});
    device_.signals.push_back(std::move(signal));
  }

  void note_access(const RegisterRow& entry, ProposedSignal& signal, bool bit) const {
    const Access access = access_cell(cell(entry, Column::access));
    if (access == Access::read || access == Access::unknown) return;
    const bool writable = entry.table == ModbusTable::holding || entry.table == ModbusTable::coil;
    if (!writable || signal.type.starts_with("string")) return;
    signal.reasons.emplace_back(access == Access::both
                                    ? "read/write in the list: put in its own limits and rate for an output"
                                    : "write only in the list: put in its own limits and rate");
    signal.write = bit ? "level" : "{limits: [0, 1], rate: none}";
    signal.commented = access == Access::write;
  }

  // Rows that share registers, as a status word and its bits do.
  void mark_aliases() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (std::size_t j = 0; j < places_.size() && !device_.signals[i].commented; ++j) {
        const auto &a = places_[i], &b = places_[j];
        const bool meet = i != j && a.table == b.table && a.begin < b.begin + b.size && b.begin < a.begin + a.size;
        if (meet && !device_.signals[j].commented && !device_.signals[j].alias) device_.signals[i].alias = true;
      }
    }
  }

  void remark() {
    auto& out = device_.remarks;
    out.push_back(fmt::format("Made by `tandem learn` from {}: {} of {} rows.", file_, device_.signals.size(),
                              rows_.rows.size() + rows_.complaints.size()));
    out.push_back("Columns: " + columns_.found);
    if (!columns_.ignored.empty()) out.push_back("Columns that were not used: " + columns_.ignored);
    if (rows_.base == 40001) {
      device_.base = "40001";
    } else {
      if (rows_.base == 1) device_.base = "1";
      if (!options_.base)
        out.emplace_back("Addresses are taken as they travel (base: 0). If values look shifted by one, set `base: 1`.");
    }
    if (guessed_table_) out.emplace_back("Rows without a table were taken for holding registers; bits for coils.");
    if (options_.device == RegisterListOptions{}.device) out.emplace_back("Put in the device's own address.");
    out.emplace_back("Everything is read only. Outputs are proposed as comments.");
    for (std::size_t i = 0; i < std::min(rows_.complaints.size(), most_complaints); ++i)
      out.push_back("Left out, " + rows_.complaints[i]);
    if (rows_.complaints.size() > most_complaints)
      out.push_back(fmt::format("Left out: {} more rows.", rows_.complaints.size() - most_complaints));
  }

  struct Span {
    ModbusTable table{};
    std::uint32_t begin = 0, size = 0;  // bits
  };

  RegisterRows rows_;
  const RegisterColumns& columns_;
  const std::string& file_;
  const RegisterListOptions& options_;
  const bool comma_;  // of decimals
  ProposedDevice device_;
  std::vector<Span> places_;  // of the signals
  modbus::WordOrder order_ = modbus::WordOrder::abcd;
  bool guessed_table_ = false;
  std::uint32_t wire_ = 0, words_ = 1;  // of the row that is looked at
};

}  // namespace

Result<ProposedDevice> read_register_list(std::string_view csv, const std::string& file,
                                          const RegisterListOptions& options) {
  const auto table = read_csv(csv, file);
  if (!table) return table.error();
  const auto columns = find_columns(*table, file);
  if (!columns) return columns.error();
  auto rows = read_rows(*table, *columns, file, options.base);
  if (!rows) return std::move(rows).error();
  return List(std::move(*rows), *columns, file, options, table->separator != ',').run();
}

}  // namespace tandem::generic
