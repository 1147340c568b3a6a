// SPDX-License-Identifier: Apache-2.0
// The virtual PLC of the RaptorLift as a Modbus device, without its socket. Time goes on when it is asked or told
// something, and when advance() is called.
//
// Holding registers (functions 3, 6, 16, 22, 23), D0 at address 0:
//   0 to 15    commands
//   16 to 23   feedback; writing is refused with illegal address
//   24         the bridge's heartbeat: a new value feeds the watchdog
//   25         the PLC's heartbeat, one more every 10 ms; writing is refused
//   26 to 127  memory without a meaning
// Input registers (function 4): 0 to 25 the same values; from truth::start on where the truck really is.
// Coils (functions 1, 5, 15): M0 to M4 at 0 to 4 and at the description's coil base.
// Discrete inputs (function 2): 0 tripped, 1 to 4 axis enabled, 5 brake on, 6 the truck moves, 7 its physics tripped.
// Exception status (function 7): those eight as bits.
// Any unit id is answered.
#pragma once

#include <array>
#include <bitset>
#include <memory>

#include "tandem/base/latest.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/machines/raptorlift/virtual/program.hpp"
#include "tandem/machines/raptorlift/virtual/registers.hpp"
#include "tandem/machines/raptorlift/virtual/rest.hpp"
#include "tandem/protocols/modbus/device.hpp"

namespace tandem::raptorlift {

class VirtualPlc final : public modbus::Device {
 public:
  static constexpr std::size_t memory_size = 128;

  // `faults` may be null.
  VirtualPlc(const Description& description, const VirtualProgram::Setup& program, std::unique_ptr<VirtualTruck> truck,
             Clock& clock, PlcFaults* faults = nullptr);

  // Scans and physics up to the present. What the host held up for more than 100 ms is lost: the PLC's time then stood
  // still, and no client is blamed for what it could not do in it.
  void advance();
  // As after power was gone: all but the truck restarts.
  void restart();

  const VirtualProgram& program() const { return program_; }
  // The physics stands still, as nothing would move; commands, coils and a restart wake it before its next step.
  bool asleep() const { return rest_.asleep(); }
  TruckState truth() const { return truth_.get().value_or(TruckState{}); }  // any thread

  modbus::Refusal read(modbus::BitKind kind, std::uint16_t address, modbus::Bits& into) override;
  modbus::Refusal read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) override;
  modbus::Refusal write(std::uint16_t address, const modbus::Bits& values) override;
  modbus::Refusal write(std::uint16_t address, std::span<const std::uint16_t> values) override;
  modbus::Refusal exception_status(std::uint8_t& into) override;
  modbus::Refusal server_id(modbus::Octets& into) override;
  std::string_view identification(std::uint8_t object) const override;

 private:
  void scan();
  void refresh();
  void tear(std::span<std::uint16_t, registers::feedback_count> words);
  void clear_commands();
  std::optional<std::size_t> coil_at(std::uint16_t address, std::size_t count) const;
  void write_coil(std::size_t coil, bool value);
  std::bitset<8> conditions() const;

  std::uint16_t coil_base_;
  VirtualRegisters registers_;
  VirtualProgram::Setup program_setup_;
  VirtualProgram program_;
  std::unique_ptr<VirtualTruck> truck_;
  Rest rest_;
  Clock& clock_;
  PlcFaults* faults_;
  Duration step_;
  Instant stepped_;          // the PLC's time has come this far
  Duration running_{0};      // since power-up
  std::uint16_t beats_ = 0;  // D25
  std::array<std::uint16_t, memory_size> memory_{};
  std::array<std::uint16_t, registers::feedback_count> reported_{};  // feedback as it was read last
  Latest<TruckState> truth_;
};

}  // namespace tandem::raptorlift
