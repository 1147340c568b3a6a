// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/memory_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tandem::modbus {

void MemoryDevice::insert(Memory& memory, const Block& block) {
  if (block.count == 0 || block.first + block.count > address_count)
    throw std::invalid_argument(
        fmt::format("{} addresses from {}: expected at least one, and none past 65535", block.count, block.first));
  const auto next = std::ranges::lower_bound(memory.blocks, block.first, {}, &Block::first);
  const bool into_next = next != memory.blocks.end() && block.first + block.count > next->first;
  const bool into_last = next != memory.blocks.begin() && std::prev(next)->first + std::prev(next)->count > block.first;
  if (into_next || into_last)
    throw std::invalid_argument(
        fmt::format("addresses {} to {} overlap others", block.first, block.first + block.count - 1));
  memory.blocks.insert(next, block);
}

void MemoryDevice::add(Table table, std::uint16_t first, std::size_t count) {
  Memory& into = memory(table);
  if (count > address_count) count = address_count + 1;
  insert(into, {first, static_cast<std::uint32_t>(count), into.values.size()});
  into.values.resize(into.values.size() + count, 0);
}

void MemoryDevice::alias(Table table, std::uint16_t first, std::uint16_t target, std::size_t count) {
  Memory& into = memory(table);
  const auto start = place(into, target);
  const auto last = place(into, target + static_cast<std::uint32_t>(std::max<std::size_t>(count, 1)) - 1);
  if (!start || !last || *last - *start + 1 != count)
    throw std::invalid_argument(
        fmt::format("alias of {} addresses from {}: expected one block, got several or none", count, target));
  insert(into, {first, static_cast<std::uint32_t>(count), *start});
}

std::optional<std::size_t> MemoryDevice::place(const Memory& memory, std::uint32_t address) {
  const auto next = std::ranges::upper_bound(memory.blocks, address, {}, &Block::first);
  if (next == memory.blocks.begin()) return std::nullopt;
  const Block& block = *std::prev(next);
  if (address - block.first >= block.count) return std::nullopt;
  return block.place + (address - block.first);
}

template <typename Visit>
bool MemoryDevice::walk(const Memory& memory, std::uint32_t address, std::size_t count, const Visit& visit) {
  for (std::size_t done = 0; done < count;) {
    const auto at = static_cast<std::uint32_t>(address + done);
    const auto next = std::ranges::upper_bound(memory.blocks, at, {}, &Block::first);
    if (next == memory.blocks.begin()) return false;
    const Block& block = *std::prev(next);
    if (at - block.first >= block.count) return false;
    const std::size_t together = std::min<std::size_t>(count - done, block.first + block.count - at);
    visit(done, block.place + (at - block.first), together);
    done += together;
  }
  return true;
}

bool MemoryDevice::holds(const Memory& memory, std::uint32_t address, std::size_t count) {
  return walk(memory, address, count, [](std::size_t, std::size_t, std::size_t) {});
}

bool MemoryDevice::bit(Table table, std::uint16_t address) const { return word(table, address) != 0; }

std::uint16_t MemoryDevice::word(Table table, std::uint16_t address) const {
  const auto found = place(memory(table), address);
  return found ? memory(table).values[*found] : std::uint16_t{0};
}

void MemoryDevice::assign(Table table, std::uint16_t address, std::uint16_t value) {
  if (const auto found = place(memory(table), address)) memory(table).values[*found] = value;
}

Device::UnitAnswer MemoryDevice::unit(std::uint8_t asked) const {
  if (units.empty() || std::ranges::find(units, asked) != units.end()) return UnitAnswer::serve;
  return other_units;
}

Refusal MemoryDevice::may_read(Table table, std::uint16_t address, std::size_t count) {
  if (!holds(memory(table), address, count)) return ExceptionCode::illegal_address;
  return before_read ? before_read(table, address, count) : std::nullopt;
}

Refusal MemoryDevice::read(BitKind kind, std::uint16_t address, Bits& into) {
  const Table table = kind == BitKind::coil ? Table::coils : Table::discrete_inputs;
  if (const auto refused = may_read(table, address, into.size())) return refused;
  const auto& values = memory(table).values;
  walk(memory(table), address, into.size(), [&](std::size_t offset, std::size_t start, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) into.assign(offset + i, values[start + i] != 0);
  });
  return {};
}

Refusal MemoryDevice::read(WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) {
  const Table table = kind == WordKind::holding ? Table::holding_registers : Table::input_registers;
  if (const auto refused = may_read(table, address, into.size())) return refused;
  const auto& values = memory(table).values;
  walk(memory(table), address, into.size(), [&](std::size_t offset, std::size_t start, std::size_t count) {
    std::copy_n(values.data() + start, count, into.data() + offset);
  });
  return {};
}

Refusal MemoryDevice::write(std::uint16_t address, const Bits& values) {
  if (!holds(memory(Table::coils), address, values.size())) return ExceptionCode::illegal_address;
  if (before_coils)
    if (const auto refused = before_coils(address, values)) return refused;
  Memory& into = memory(Table::coils);
  walk(into, address, values.size(), [&](std::size_t offset, std::size_t start, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) into.values[start + i] = values[offset + i] ? 1 : 0;
  });
  if (after_coils) after_coils(address, values);
  return {};
}

Refusal MemoryDevice::write(std::uint16_t address, std::span<const std::uint16_t> values) {
  if (!holds(memory(Table::holding_registers), address, values.size())) return ExceptionCode::illegal_address;
  if (before_registers)
    if (const auto refused = before_registers(address, values)) return refused;
  Memory& into = memory(Table::holding_registers);
  walk(into, address, values.size(), [&](std::size_t offset, std::size_t start, std::size_t count) {
    std::copy_n(values.data() + offset, count, into.values.data() + start);
  });
  if (after_registers) after_registers(address, values);
  return {};
}

Refusal MemoryDevice::exception_status(std::uint8_t& into) {
  if (!status) return ExceptionCode::illegal_function;
  into = *status;
  return {};
}

Refusal MemoryDevice::server_id(Octets& into) {
  if (id.empty()) return ExceptionCode::illegal_function;
  into = Octets(as_bytes(id));
  into.resize(std::min(id.size(), longest_pdu - 2));
  return {};
}

std::string_view MemoryDevice::identification(std::uint8_t object) const {
  const auto found = objects.find(object);
  return found == objects.end() ? std::string_view{} : std::string_view(found->second);
}

}  // namespace tandem::modbus
