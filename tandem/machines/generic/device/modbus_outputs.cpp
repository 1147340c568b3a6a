// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/modbus_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tandem::generic {
namespace {

// The device does not know the function, so it has done nothing.
bool is_unknown_function(const Result<void>& outcome) {
  return !outcome && outcome.error().fault == Fault::device &&
         outcome.error().code == static_cast<unsigned>(modbus::ExceptionCode::illegal_function);
}

// Nothing leaves after the deadline: what cannot be answered in time was then not written.
template <typename Request>
Result<void> in_turn(const ModbusOutputs::Turn& turn, const Request& request) {
  const Instant deadline = turn();
  if (deadline <= now()) return Error{Fault::timeout, "not sent: the deadline has passed"};
  return request(deadline);
}

}  // namespace

void ModbusOutputs::write(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                          std::vector<Written>& outcomes) {
  outcomes.clear();
  while (!writes.empty()) {
    Result<void> outcome;
    const std::size_t count = write_next(client, writes, turn, outcome);
    for (const Write& each : writes.first(count)) {
      if (outcome) {
        outcomes.push_back({each.declaration, {}});
      } else {
        outcomes.push_back({each.declaration, within(description_.signals[each.declaration].name, outcome.error())});
      }
    }
    writes = writes.subspan(count);
  }
}

Result<void> ModbusOutputs::check(const Write& write) const {
  const Signal& signal = layout_.signals[write.declaration];
  const ModbusTable table = layout_.spans[write.declaration].table;
  if (signal.kind == Kind::text || signal.count != 1)
    return Error{Fault::unsupported, "expected a number or a bit, got a text or an array"};
  if (table == ModbusTable::discrete || table == ModbusTable::input)
    return Error{Fault::unsupported, fmt::format("expected a coil or a holding register, got {}", name(table))};
  if (!std::isfinite(write.value)) return Error{Fault::invalid, fmt::format("expected a number, got {}", write.value)};
  std::array<std::uint16_t, 4> words{};
  const ModbusSpan& span = layout_.spans[write.declaration];
  const double raw = (write.value - signal.offset) / signal.scale;
  if (signal.type != Type::bit && put_raw_value(signal.type, span, raw, std::span(words).first(span.words)))
    return Error{Fault::invalid, fmt::format("expected a value that fits in {}, got {:g}", name(signal.type), raw)};
  return {};
}

bool ModbusOutputs::is_whole(const Write& write, ModbusTable table) const {
  const ModbusSpan& span = layout_.spans[write.declaration];
  return span.table == table && span.bit < 0 && check(write).ok();
}

std::size_t ModbusOutputs::together(std::span<const Write> writes, std::size_t most, Span& span) const {
  const ModbusSpan& begin = layout_.spans[writes.front().declaration];
  span = {begin.address, std::uint32_t{begin.address} + begin.words};
  std::size_t count = 1;
  for (; count < writes.size() && is_whole(writes[count], begin.table); ++count) {
    const ModbusSpan& next = layout_.spans[writes[count].declaration];
    if (span.end - span.first + next.words > most) break;
    if (next.address == span.end) {
      span.end += next.words;
    } else if (next.address + next.words == span.first) {
      span.first = next.address;
    } else {
      break;
    }
  }
  return count;
}

std::size_t ModbusOutputs::write_next(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                                      Result<void>& outcome) {
  outcome = check(writes.front());
  if (!outcome) return 1;
  const ModbusSpan& place = layout_.spans[writes.front().declaration];
  if (place.bit >= 0) return write_bits(client, writes, turn, outcome);
  if (place.table == ModbusTable::holding) return write_words(client, writes, turn, outcome);
  Span span;
  const std::size_t count = together(writes, knows_several_coils_ ? modbus::most_coils_written : 1, span);
  std::array<bool, modbus::most_coils_written> values{};
  for (const Write& each : writes.first(count))
    values[layout_.spans[each.declaration].address - span.first] = each.value != 0;
  outcome = send_coils(client, static_cast<std::uint16_t>(span.first), std::span(values).first(count), turn);
  if (count > 1 && is_unknown_function(outcome)) return write_next(client, writes, turn, outcome);
  return count;
}

// Bits of one register leave together.
std::size_t ModbusOutputs::write_bits(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                                      Result<void>& outcome) {
  const ModbusSpan& place = layout_.spans[writes.front().declaration];
  std::uint16_t mask = 0, bits = 0;
  bool shared = true;
  std::size_t count = 0;
  for (; count < writes.size(); ++count) {
    const ModbusSpan& span = layout_.spans[writes[count].declaration];
    if (span.table != place.table || span.address != place.address || span.bit < 0 || !check(writes[count])) break;
    put_raw_value(Type::bit, span, 1, std::span(&mask, 1));
    put_raw_value(Type::bit, span, writes[count].value, std::span(&bits, 1));
    const auto& output = description_.signals[writes[count].declaration].write;
    shared = shared && output && output->shared;
  }
  outcome = send_mask(client, place.address, mask, bits, shared, turn);
  return count;
}

std::size_t ModbusOutputs::write_words(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                                       Result<void>& outcome) {
  Span span;
  const std::size_t own = layout_.spans[writes.front().declaration].words;
  const std::size_t count = together(writes, knows_several_ ? modbus::most_registers_written : own, span);
  std::array<std::uint16_t, modbus::most_registers_written> words{};
  for (const Write& each : writes.first(count)) {
    const ModbusSpan& place = layout_.spans[each.declaration];
    const Signal& signal = layout_.signals[each.declaration];
    put_raw_value(signal.type, place, (each.value - signal.offset) / signal.scale,
                  std::span(words).subspan(place.address - span.first, place.words));
  }
  outcome =
      send_words(client, static_cast<std::uint16_t>(span.first), std::span(words).first(span.end - span.first), turn);
  if (count > 1 && is_unknown_function(outcome)) return write_words(client, writes, turn, outcome);
  return count;
}

void ModbusOutputs::lacks(bool& knows, modbus::Function function) {
  knows = false;
  notes_.push_back(
      {fmt::format("device does not know function {} ({})", static_cast<int>(function), modbus::name(function)),
       false});
}

Result<void> ModbusOutputs::send_coils(modbus::Client& client, std::uint16_t address, std::span<const bool> values,
                                       const Turn& turn) {
  if (values.size() == 1 && knows_single_coil_) {
    auto written = in_turn(turn, [&](Instant until) { return client.write_coil(address, values[0], until); });
    if (!is_unknown_function(written) || !knows_several_coils_) return written;
    lacks(knows_single_coil_, modbus::Function::write_coil);
  }
  auto written = in_turn(turn, [&](Instant until) { return client.write_coils(address, values, until); });
  if (is_unknown_function(written) && knows_several_coils_) lacks(knows_several_coils_, modbus::Function::write_coils);
  return written;
}

Result<void> ModbusOutputs::send_words(modbus::Client& client, std::uint16_t address,
                                       std::span<const std::uint16_t> words, const Turn& turn) {
  if (words.size() == 1 && knows_single_) {
    auto written = in_turn(turn, [&](Instant until) { return client.write_register(address, words[0], until); });
    if (!is_unknown_function(written) || !knows_several_) return written;
    lacks(knows_single_, modbus::Function::write_register);
  }
  auto written = in_turn(turn, [&](Instant until) { return client.write_registers(address, words, until); });
  if (is_unknown_function(written) && knows_several_) lacks(knows_several_, modbus::Function::write_registers);
  return written;
}

// What others may write to the other bits meanwhile is lost without a mask write: only where the file accepts that.
Result<void> ModbusOutputs::send_mask(modbus::Client& client, std::uint16_t address, std::uint16_t mask,
                                      std::uint16_t bits, bool shared, const Turn& turn) {
  const auto keep = static_cast<std::uint16_t>(~mask);
  if (knows_mask_) {
    auto written = in_turn(turn, [&](Instant until) { return client.mask_write(address, keep, bits, until); });
    if (!is_unknown_function(written)) return written;
    lacks(knows_mask_, modbus::Function::mask_write_register);
  }
  if (!shared)
    return Error{Fault::unsupported, fmt::format("expected a device with function 22 (mask write) for a bit of {}; "
                                                 "`shared: true` accepts reading and writing the whole register",
                                                 places_text(ModbusTable::holding, address, 1, layout_.base))};
  std::uint16_t word = 0;
  if (auto read =
          in_turn(turn, [&](Instant until) { return client.read_registers(address, std::span(&word, 1), until); });
      !read)
    return read;
  word = static_cast<std::uint16_t>((word & keep) | (bits & mask));
  return send_words(client, address, std::span(&word, 1), turn);
}

Result<void> ModbusOutputs::beat(modbus::Client& client, std::uint32_t count, const Turn& turn) {
  const auto* place = description_.heartbeat ? std::get_if<ModbusPlace>(&*description_.heartbeat) : nullptr;
  if (place == nullptr) return {};
  const auto word = static_cast<std::uint16_t>(count);
  const bool on = (count & 1) != 0;
  if (place->table == ModbusTable::coil) return send_coils(client, place->address, std::span(&on, 1), turn);
  if (place->bit >= 0) {
    const auto mask = static_cast<std::uint16_t>(1u << place->bit);
    return send_mask(client, place->address, mask, on ? mask : std::uint16_t{0}, false, turn);
  }
  return send_words(client, place->address, std::span(&word, 1), turn);
}

}  // namespace tandem::generic
