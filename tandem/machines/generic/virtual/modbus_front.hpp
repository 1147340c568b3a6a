// SPDX-License-Identifier: Apache-2.0
// A Modbus server with exactly the registers and coils of a description. Anything else is exception 2, and so is a
// write that would change a part of a number.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/generic/modbus_layout.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace tandem::generic {

class ModbusFront final : public Front, private modbus::Device {
 public:
  // Some devices refuse a read that cuts a number: with `whole_numbers` it is exception 2 here, too.
  ModbusFront(std::shared_ptr<const Description> description, const machines::VirtualSetup& setup,
              bool whole_numbers = false);

  std::string url() const override;
  std::string listening() const override { return "listens on " + url(); }
  const std::vector<Signal>& signals() const override { return layout_.signals; }
  void serve(Instant until) override { server_->poll(until); }
  std::optional<double> take_written(std::size_t signal, std::size_t element) override;
  void put(std::size_t signal, std::size_t element, double value) override;
  void put_text(std::size_t signal, std::string_view text) override;
  double value(std::size_t signal, std::size_t element) const override;
  void fault(std::size_t signal, const FrontFaults& faults) override;

  void close_connections() { server_->close_connections(); }
  std::uint64_t requests() const { return server_->counters().requests; }

 private:
  struct Memory {
    std::vector<std::uint16_t> words;
    std::vector<char> exists;
  };
  struct Place {  // of one value
    std::size_t signal = 0, element = 0;
    ModbusTable table = ModbusTable::holding;
    std::uint16_t address = 0, words = 1;
  };

  modbus::Refusal read(modbus::BitKind kind, std::uint16_t address, modbus::Bits& into) override;
  modbus::Refusal read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) override;
  modbus::Refusal write(std::uint16_t address, const modbus::Bits& values) override;
  modbus::Refusal write(std::uint16_t address, std::span<const std::uint16_t> values) override;
  modbus::Refusal server_id(modbus::Octets& into) override;
  std::string_view identification(std::uint8_t object) const override;

  std::size_t memory_of(ModbusTable table) const;
  std::span<std::uint16_t> words_of(const ModbusSpan& span, std::size_t element);
  std::span<const std::uint16_t> words_of(const ModbusSpan& span, std::size_t element) const;
  void exist(ModbusTable table, std::uint32_t address, std::size_t words);
  bool cuts(ModbusTable table, std::uint32_t address, std::size_t words) const;
  // What keeps a request from being done, whatever it does.
  modbus::Refusal refusal(ModbusTable table, std::uint32_t address, std::size_t words);
  void note_written(ModbusTable table, std::uint32_t address, std::span<const std::uint16_t> values);

  std::shared_ptr<const Description> description_;
  bool whole_numbers_;
  std::string host_;
  ModbusLayout layout_;
  std::vector<Place> places_;
  std::array<Memory, 4> memories_;
  std::vector<FrontFaults> faults_;  // of each signal
  std::vector<char> written_;        // of each number
  bool touched_ = false;             // by the request that is being answered: a signal that answers nothing
  std::unique_ptr<modbus::Server> server_;
};

}  // namespace tandem::generic
