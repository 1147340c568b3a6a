// SPDX-License-Identifier: Apache-2.0
// Writes outputs to a Modbus device. Nothing is sent twice unless the device said that it did not do it.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/modbus_layout.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::generic {

class ModbusOutputs {
 public:
  ModbusOutputs(const Description& description, const ModbusLayout& layout)
      : description_(description), layout_(layout) {}

  // How one request is made room for: its deadline, when the one before it is long enough ago.
  using Turn = std::function<Instant()>;
  // One outcome for each write. Neighbours that follow each other leave in one request.
  void write(modbus::Client& client, std::span<const Write> writes, const Turn& turn, std::vector<Written>& outcomes);
  Result<void> beat(modbus::Client& client, std::uint32_t count, const Turn& turn);
  std::vector<Note> take_notes() { return std::exchange(notes_, {}); }

 private:
  struct Span {  // words or coils that leave together
    std::uint32_t first = 0, end = 0;
  };
  std::size_t write_next(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                         Result<void>& outcome);
  std::size_t write_bits(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                         Result<void>& outcome);
  std::size_t write_words(modbus::Client& client, std::span<const Write> writes, const Turn& turn,
                          Result<void>& outcome);
  Result<void> check(const Write& write) const;
  bool is_whole(const Write& write, ModbusTable table) const;  // not a bit of a register
  // The writes at the beginning whose places are one stretch without a hole.
  std::size_t together(std::span<const Write> writes, std::size_t most, Span& span) const;
  Result<void> send_coils(modbus::Client& client, std::uint16_t address, std::span<const bool> values,
                          const Turn& turn);
  Result<void> send_words(modbus::Client& client, std::uint16_t address, std::span<const std::uint16_t> words,
                          const Turn& turn);
  Result<void> send_mask(modbus::Client& client, std::uint16_t address, std::uint16_t mask, std::uint16_t bits,
                         bool shared, const Turn& turn);
  void lacks(bool& knows, modbus::Function function);

  const Description& description_;
  const ModbusLayout& layout_;
  bool knows_single_ = true, knows_several_ = true;             // functions 6 and 16
  bool knows_single_coil_ = true, knows_several_coils_ = true;  // functions 5 and 15
  bool knows_mask_ = true;                                      // function 22
  std::vector<Note> notes_;
};

}  // namespace tandem::generic
