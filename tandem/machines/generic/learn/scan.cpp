// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/scan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::generic {
namespace {

using modbus::ExceptionCode;

constexpr std::size_t most_stepped_over = 20;  // named in remarks

}  // namespace

modbus::Request request_of(const ScanRequest& request) {
  const std::uint16_t address = request.address, count = request.count;
  switch (request.table) {
    case ModbusTable::coil:
      return modbus::ReadBits{modbus::BitKind::coil, address, count};
    case ModbusTable::discrete:
      return modbus::ReadBits{modbus::BitKind::discrete_input, address, count};
    case ModbusTable::holding:
      return modbus::ReadRegisters{modbus::WordKind::holding, address, count};
    case ModbusTable::input:
      break;
  }
  return modbus::ReadRegisters{modbus::WordKind::input, address, count};
}

ModbusScan::ModbusScan(const ScanOptions& options) : options_(options), address_(options.from) {
  if (options_.tables.empty() || options_.from > options_.to) stage_ = Stage::done;
}

std::optional<ScanRequest> ModbusScan::next() {
  if (stage_ == Stage::done) return std::nullopt;
  ScanRequest request;
  request.wait = wait_;
  if (stage_ == Stage::searching) {
    request.table = options_.tables[table_];
    request.address = static_cast<std::uint16_t>(address_);
    size_ = std::min(size_, options_.to - address_ + 1);
    request.count = static_cast<std::uint16_t>(size_);
  } else {
    request.table = blocks_[reading_].table;
    request.address = blocks_[reading_].address;
    request.count = blocks_[reading_].count;
  }
  return request;
}

void ModbusScan::take(const ScanAnswer& answer) {
  const auto asked = next();
  if (!asked) return;
  wait_ = Duration{0};
  if (answer.kind == ScanAnswer::Kind::silence) {
    if (++timeouts_ >= most_timeouts)
      give_up(fmt::format("no answer to {} requests running, the last for {}", timeouts_,
                          register_text(asked->table, asked->address)));
    return;  // the same again
  }
  timeouts_ = 0;
  const bool busy = answer.kind == ScanAnswer::Kind::exception &&
                    (answer.code == ExceptionCode::busy || answer.code == ExceptionCode::acknowledge);
  if (busy && ++busy_ <= most_busy) {
    wait_ = busy_wait;
    return;
  }
  busy_ = 0;
  const bool whole = answer.kind == ScanAnswer::Kind::words && answer.words.size() == asked->count;
  if (stage_ == Stage::reading) {
    if (whole) {
      observations_.add(asked->table, asked->address, answer.words);
    } else {
      read_apart();
    }
    if (++reading_ == blocks_.size()) begin_pass();
    return;
  }
  if (whole) return found(answer);
  if (answer.kind == ScanAnswer::Kind::exception) return refused(answer.code);
  stepped_over_.push_back(fmt::format("{}: invalid answer", register_text(asked->table, asked->address)));
  skip(size_);
}

void ModbusScan::found(const ScanAnswer& answer) {
  const ModbusTable table = options_.tables[table_];
  observations_.add(table, static_cast<Word>(address_), answer.words);
  found_.push_back({table, static_cast<std::uint16_t>(address_), static_cast<std::uint16_t>(size_)});
  address_ += size_;
  size_ = std::min(size_ * 2, states_[table].most);
  if (address_ > options_.to) next_table();
}

void ModbusScan::refused(ExceptionCode code) {
  TableState& state = states_[options_.tables[table_]];
  switch (code) {
    case ExceptionCode::illegal_function:
      return leave_table("the device does not know this function (exception 1)");
    case ExceptionCode::illegal_address:
      if (size_ > 1) return halve();
      ++state.absent;
      return skip(1);
    case ExceptionCode::illegal_value:
      if (size_ > 1) {
        state.most = std::max(1U, size_ / 2);
        return halve();
      }
      ++state.absent;
      return skip(1);
    case ExceptionCode::gateway_path:
    case ExceptionCode::gateway_target:
      return give_up(fmt::format("the gateway has no such unit (exception {}: {}); set another with ?unit=N",
                                 static_cast<int>(code), modbus::name(code)));
    default:
      stepped_over_.push_back(fmt::format("{}: exception {} ({})",
                                          places_text(options_.tables[table_], address_, size_), static_cast<int>(code),
                                          modbus::name(code)));
      return skip(size_);
  }
}

void ModbusScan::halve() { size_ /= 2; }

// After an address that is absent the next ones are asked one by one, until one is there.
void ModbusScan::skip(std::uint32_t count) {
  address_ += count;
  size_ = count == 1 ? 1 : std::min(scan_block, states_[options_.tables[table_]].most);
  if (address_ > options_.to) next_table();
}

void ModbusScan::leave_table(const std::string& why) {
  states_[options_.tables[table_]].left = why;
  next_table();
}

void ModbusScan::next_table() {
  address_ = options_.from;
  size_ = scan_block;
  if (++table_ < options_.tables.size()) return;
  begin_reading();
}

// Longer stretches than the search found them in, overlapping by one register: every two neighbours are read together
// once, and so are the halves of a value.
void ModbusScan::begin_reading() {
  for (std::size_t i = 0; i < found_.size();) {
    const ModbusTable table = found_[i].table;
    const std::uint32_t first = found_[i].address, most = std::max(2U, states_[table].most);
    std::uint32_t end = first;
    for (; i < found_.size() && found_[i].table == table && found_[i].address == end; ++i) end += found_[i].count;
    for (std::uint32_t at = first; at < end; at += most - 1) {
      const std::uint32_t count = std::min(most, end - at);
      blocks_.push_back({table, static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(count)});
      if (at + count == end) break;
    }
  }
  stage_ = Stage::reading;
  begin_pass();
}

// A block that is refused as a whole is read as the search found its parts.
void ModbusScan::read_apart() {
  const Found block = blocks_[reading_];
  std::vector<Found> parts;
  for (const Found& each : found_) {
    const bool inside = each.table == block.table && each.address < block.address + block.count &&
                        block.address < each.address + each.count;
    if (inside && each.count < block.count) parts.push_back(each);
  }
  if (parts.empty()) return;
  const auto at = blocks_.begin() + static_cast<std::ptrdiff_t>(reading_);
  *at = parts.front();
  blocks_.insert(at + 1, parts.begin() + 1, parts.end());
}

void ModbusScan::begin_pass() {
  reading_ = 0;
  wait_ = scan_pass_gap;
  if (blocks_.empty() || ++pass_ > options_.passes) stage_ = Stage::done;
}

void ModbusScan::give_up(std::string why) {
  given_up_ = std::move(why);
  stage_ = Stage::done;
}

double ModbusScan::progress() const {
  if (stage_ == Stage::done) return 1;
  const double span = options_.to - options_.from + 1.0, tables = static_cast<double>(options_.tables.size());
  // The search takes longest by far.
  constexpr double search = 0.7;
  if (stage_ == Stage::searching)
    return search * (static_cast<double>(table_) + (address_ - options_.from) / span) / tables;
  const double done =
      static_cast<double>(pass_ - 1) + static_cast<double>(reading_) / static_cast<double>(blocks_.size());
  return search + (1 - search) * done / std::max(1, options_.passes);
}

std::vector<std::string> ModbusScan::remarks() const {
  std::vector<std::string> out;
  for (const ModbusTable table : options_.tables) {
    const auto found = states_.find(table);
    const TableState state = found == states_.end() ? TableState{} : found->second;
    std::string text = fmt::format("{} {}..{}: {} found", name(table), options_.from, options_.to,
                                   observations_.addresses(table).size());
    if (state.most < scan_block) text += fmt::format("; the device reads at most {} at once", state.most);
    if (!state.left.empty()) text += "; " + state.left;
    out.push_back(text + ".");
  }
  for (std::size_t i = 0; i < std::min(stepped_over_.size(), most_stepped_over); ++i)
    out.push_back("Stepped over " + stepped_over_[i] + ".");
  if (stepped_over_.size() > most_stepped_over)
    out.push_back(fmt::format("Stepped over {} more.", stepped_over_.size() - most_stepped_over));
  if (!given_up_.empty()) out.push_back("Given up: " + given_up_ + ".");
  return out;
}

}  // namespace tandem::generic
