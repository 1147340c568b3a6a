// SPDX-License-Identifier: Apache-2.0
// A Modbus device made of plain memory: blocks of addresses, and a say in every write.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tandem/protocols/modbus/device.hpp"

namespace tandem::modbus {

enum class Table : std::uint8_t { coils, discrete_inputs, holding_registers, input_registers };

class MemoryDevice : public Device {
 public:
  // Addresses from `first` on exist now and are zero. Throws std::invalid_argument when one of them did already or
  // passes 65535.
  void add(Table table, std::uint16_t first, std::size_t count);
  // Addresses that are the same memory as those of a block that is there, under other numbers.
  void alias(Table table, std::uint16_t first, std::uint16_t target, std::size_t count);

  // From the owner's side, without a say: the value at an address, and zero or nothing where there is none.
  bool bit(Table table, std::uint16_t address) const;
  std::uint16_t word(Table table, std::uint16_t address) const;
  void assign(Table table, std::uint16_t address, std::uint16_t value);

  // Asked before a client's write is done, with the address as the client gave it; nothing lets it be done. Afterwards
  // the same values are given to the second pair. Unset ones agree.
  std::function<Refusal(std::uint16_t address, const Bits& values)> before_coils;
  std::function<Refusal(std::uint16_t address, std::span<const std::uint16_t> values)> before_registers;
  std::function<void(std::uint16_t address, const Bits& values)> after_coils;
  std::function<void(std::uint16_t address, std::span<const std::uint16_t> values)> after_registers;
  // Asked before a client's read, for exceptions and for values made at the last moment.
  std::function<Refusal(Table table, std::uint16_t address, std::size_t count)> before_read;

  // Unit ids that are answered; all when empty. Others get `other_units`.
  std::vector<std::uint8_t> units;
  UnitAnswer other_units = UnitAnswer::no_such_unit;

  std::optional<std::uint8_t> status;           // function 7
  std::string id;                               // function 17: the bytes of the answer; refused when empty
  std::map<std::uint8_t, std::string> objects;  // function 43/14

  UnitAnswer unit(std::uint8_t unit) const override;
  Refusal read(BitKind kind, std::uint16_t address, Bits& into) override;
  Refusal read(WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) override;
  Refusal write(std::uint16_t address, const Bits& values) override;
  Refusal write(std::uint16_t address, std::span<const std::uint16_t> values) override;
  Refusal exception_status(std::uint8_t& into) override;
  Refusal server_id(Octets& into) override;
  std::string_view identification(std::uint8_t object) const override;

 private:
  struct Block {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::size_t place = 0;  // of the first address in the table's memory
  };
  struct Memory {
    std::vector<Block> blocks;  // by address, none overlapping
    std::vector<std::uint16_t> values;
  };
  Memory& memory(Table table) { return tables_[static_cast<std::size_t>(table)]; }
  const Memory& memory(Table table) const { return tables_[static_cast<std::size_t>(table)]; }
  static void insert(Memory& memory, const Block& block);
  // Where address is in the table's memory; nothing where there is none.
  static std::optional<std::size_t> place(const Memory& memory, std::uint32_t address);
  // Calls visit(offset, place, count) for every stretch of addresses that lies together; false at the first hole.
  template <typename Visit>
  static bool walk(const Memory& memory, std::uint32_t address, std::size_t count, const Visit& visit);
  static bool holds(const Memory& memory, std::uint32_t address, std::size_t count);
  Refusal may_read(Table table, std::uint16_t address, std::size_t count);

  std::array<Memory, 4> tables_;
};

}  // namespace tandem::modbus
