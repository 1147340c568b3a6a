// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/modbus_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::generic {
namespace {

using modbus::ExceptionCode;
using modbus::Refusal;

constexpr std::uint16_t virtual_modbus_port = 1502;

bool is_multiword_number(const Signal& signal, const ModbusSpan& span) {
  return signal.kind != Kind::text && span.words > 1;
}

}  // namespace

ModbusFront::ModbusFront(std::shared_ptr<const Description> description, const machines::VirtualSetup& setup,
                         bool whole_numbers)
    : description_(std::move(description)),
      whole_numbers_(whole_numbers),
      host_(setup.listen == "0.0.0.0" ? "127.0.0.1" : setup.listen),
      layout_(modbus_layout(*description_)),
      faults_(layout_.signals.size()) {
  for (Memory& memory : memories_) {
    memory.words.assign(modbus::address_count, 0);
    memory.exists.assign(modbus::address_count, 0);
  }
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < layout_.signals.size(); ++i) {
    const Signal& signal = layout_.signals[i];
    const ModbusSpan& span = layout_.spans[i];
    exist(span.table, span.address, signal.count * span.words);
    for (std::size_t element = 0; element < signal.count; ++element)
      places_.push_back({i, element, span.table, static_cast<std::uint16_t>(span.of(element)), span.words});
    if (signal.kind != Kind::text) numbers = std::max(numbers, signal.first + signal.count);
  }
  written_.assign(numbers, 0);
  if (description_->heartbeat) {
    if (const auto* place = std::get_if<ModbusPlace>(&*description_->heartbeat)) exist(place->table, place->address, 1);
  }
  modbus::ServerOptions options;
  options.host = setup.listen;
  options.plug = setup.plug;
  options.port = setup.port != 0 ? static_cast<std::uint16_t>(setup.port)
                                 : (setup.standard_ports ? virtual_modbus_port : std::uint16_t{0});
  options.fault = [this](std::vector<std::uint8_t>&) {
    using Kind = modbus::AnswerFate::Kind;
    return modbus::AnswerFate{.kind = std::exchange(touched_, false) ? Kind::drop : Kind::send};
  };
  auto server = modbus::Server::listen(*this, options);
  if (!server) throw std::runtime_error(fmt::format("virtual device: {}", server.error().text));
  server_ = std::move(*server);
}

std::string ModbusFront::url() const { return fmt::format("modbus://{}:{}", host_, server_->port()); }

// With `sim_shared` input registers are the holding ones.
std::size_t ModbusFront::memory_of(ModbusTable table) const {
  const bool shared = description_->sim_shared && table == ModbusTable::input;
  return static_cast<std::size_t>(shared ? ModbusTable::holding : table);
}

std::span<std::uint16_t> ModbusFront::words_of(const ModbusSpan& span, std::size_t element) {
  return std::span(memories_[memory_of(span.table)].words).subspan(span.of(element), span.words);
}
std::span<const std::uint16_t> ModbusFront::words_of(const ModbusSpan& span, std::size_t element) const {
  return std::span(memories_[memory_of(span.table)].words).subspan(span.of(element), span.words);
}

void ModbusFront::exist(ModbusTable table, std::uint32_t address, std::size_t words) {
  std::fill_n(memories_[memory_of(table)].exists.begin() + address, words, char{1});
}

double ModbusFront::value(std::size_t signal, std::size_t element) const {
  const Signal& entry = layout_.signals[signal];
  const ModbusSpan& span = layout_.spans[signal];
  if (entry.kind == Kind::text) return std::numeric_limits<double>::quiet_NaN();
  return raw_value(entry.type, span, words_of(span, element)).number * entry.scale + entry.offset;
}

void ModbusFront::put(std::size_t signal, std::size_t element, double value) {
  const Signal& entry = layout_.signals[signal];
  if (entry.kind == Kind::text || element >= entry.count) return;
  double raw = (value - entry.offset) / entry.scale;
  const auto& invalid = description_->signals[entry.declaration].invalid;
  if (std::isnan(raw) && entry.type != Type::float32 && entry.type != Type::float64)
    raw = invalid.empty() ? 0 : invalid.front();
  const ModbusSpan& span = layout_.spans[signal];
  put_raw_value(entry.type, span, raw, words_of(span, element));
}

void ModbusFront::put_text(std::size_t signal, std::string_view text) {
  const ModbusSpan& span = layout_.spans[signal];
  if (layout_.signals[signal].kind == Kind::text) put_text_bytes(span, text, words_of(span, 0));
}

void ModbusFront::fault(std::size_t signal, const FrontFaults& faults) { faults_[signal] = faults; }

std::optional<double> ModbusFront::take_written(std::size_t signal, std::size_t element) {
  const Signal& entry = layout_.signals[signal];
  if (entry.kind == Kind::text || !std::exchange(written_[entry.first + element], char{0})) return std::nullopt;
  return value(signal, element);
}

bool ModbusFront::cuts(ModbusTable table, std::uint32_t address, std::size_t words) const {
  return std::ranges::any_of(places_, [&](const Place& place) {
    if (memory_of(place.table) != memory_of(table)) return false;
    if (!is_multiword_number(layout_.signals[place.signal], layout_.spans[place.signal])) return false;
    const std::size_t end = address + words, place_end = std::size_t{place.address} + place.words;
    const bool touches = place.address < end && address < place_end;
    return touches && (place.address < address || place_end > end);
  });
}

Refusal ModbusFront::refusal(ModbusTable table, std::uint32_t address, std::size_t words) {
  const auto& exists = memories_[memory_of(table)].exists;
  if (!std::all_of(exists.begin() + address, exists.begin() + address + static_cast<std::ptrdiff_t>(words),
                   [](char there) { return there != 0; }))
    return ExceptionCode::illegal_address;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (faults_[i].exception == 0 && !faults_[i].silent) continue;
    const ModbusSpan& span = layout_.spans[i];
    const std::size_t end = span.address + layout_.signals[i].count * span.words;
    if (memory_of(span.table) != memory_of(table) || span.address >= address + words || address >= end) continue;
    touched_ = touched_ || faults_[i].silent;
    if (faults_[i].exception != 0) return static_cast<ExceptionCode>(faults_[i].exception);
  }
  return {};
}

Refusal ModbusFront::read(modbus::BitKind kind, std::uint16_t address, modbus::Bits& into) {
  const ModbusTable table = kind == modbus::BitKind::coil ? ModbusTable::coil : ModbusTable::discrete;
  if (const auto refused = refusal(table, address, into.size())) return refused;
  const auto& words = memories_[memory_of(table)].words;
  for (std::size_t i = 0; i < into.size(); ++i) into.assign(i, words[address + i] != 0);
  return {};
}

Refusal ModbusFront::read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) {
  const ModbusTable table = kind == modbus::WordKind::holding ? ModbusTable::holding : ModbusTable::input;
  if (const auto refused = refusal(table, address, into.size())) return refused;
  if (whole_numbers_ && cuts(table, address, into.size())) return ExceptionCode::illegal_address;
  std::copy_n(memories_[memory_of(table)].words.begin() + address, into.size(), into.begin());
  return {};
}

// A bit of a register counts as written when it changes; anything else whenever its last word was written.
void ModbusFront::note_written(ModbusTable table, std::uint32_t address, std::span<const std::uint16_t> values) {
  for (const Place& place : places_) {
    if (memory_of(place.table) != memory_of(table) || layout_.signals[place.signal].kind == Kind::text) continue;
    const std::size_t place_end = std::size_t{place.address} + place.words;
    if (place.address < address || place_end > address + values.size()) continue;
    const ModbusSpan& span = layout_.spans[place.signal];
    if (span.bit >= 0) {
      const auto now = raw_value(Type::bit, span, values.subspan(place.address - address, 1));
      if (now.integer == raw_value(Type::bit, span, words_of(span, place.element)).integer) continue;
    }
    written_[layout_.signals[place.signal].first + place.element] = 1;
  }
}

Refusal ModbusFront::write(std::uint16_t address, const modbus::Bits& values) {
  if (const auto refused = refusal(ModbusTable::coil, address, values.size())) return refused;
  auto& words = memories_[memory_of(ModbusTable::coil)].words;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t value = values[i] ? 1 : 0;
    note_written(ModbusTable::coil, static_cast<std::uint32_t>(address + i), std::span(&value, 1));
    words[address + i] = value;
  }
  return {};
}

Refusal ModbusFront::write(std::uint16_t address, std::span<const std::uint16_t> values) {
  if (const auto refused = refusal(ModbusTable::holding, address, values.size())) return refused;
  if (cuts(ModbusTable::holding, address, values.size())) return ExceptionCode::illegal_address;
  note_written(ModbusTable::holding, address, values);
  std::ranges::copy(values, memories_[memory_of(ModbusTable::holding)].words.begin() + address);
  return {};
}

Refusal ModbusFront::server_id(modbus::Octets& into) {
  const std::string text = fmt::format("\x01\xff{}", description_->name.empty() ? "Tandem" : description_->name);
  into = modbus::Octets(as_bytes(text));
  return {};
}

std::string_view ModbusFront::identification(std::uint8_t object) const {
  switch (object) {
    case 0:
      return "Tandem";
    case 1:
      return "virtual";
    case 2:
      return "1.0";
    case 4:
      return description_->name;
    default:
      return {};
  }
}

std::unique_ptr<Front> make_modbus_front(std::shared_ptr<const Description> description,
                                         const machines::VirtualSetup& setup) {
  return std::make_unique<ModbusFront>(std::move(description), setup);
}

}  // namespace tandem::generic
