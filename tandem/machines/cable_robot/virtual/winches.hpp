// SPDX-License-Identifier: Apache-2.0
// The virtual winches as a Modbus device, without their socket. Time goes on when they are asked or told something, and
// when advance() is called.
//
// Holding registers (functions 3, 6, 16, 22, 23):
//   command    written whole or not at all; what was taken last is read back
//   feedback   read-only
//   limits     whole values, while no winch is enabled
//   scratch    memory without a meaning
// Input registers (function 4): from 0 on feedback, from truth::start on where the platform really is.
// Coils (functions 1, 5, 15) and discrete inputs (function 2): as description.hpp has them.
// Exception status (function 7), bit 0 on: fault, watchdog, any winch enabled, all enabled, stop, a cable is slack, the
// platform lies on the floor, the physics tripped.
// Any unit id is answered. Exceptions: 2 for registers that are not there, read-only or not whole, 3 for values that
// cannot be, 6 for limits while a winch is enabled.
#pragma once

#include <array>

#include "tandem/base/clock.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/machines/cable_robot/virtual/script.hpp"
#include "tandem/machines/cable_robot/virtual/station.hpp"
#include "tandem/protocols/modbus/device.hpp"

namespace tandem::cable_robot {

namespace scratch {
inline constexpr std::uint16_t start = 600;
inline constexpr std::uint16_t count = 100;
}  // namespace scratch

class VirtualWinches final : public modbus::Device {
 public:
  // `faults` may be null when the script is empty.
  VirtualWinches(const cables::Robot& robot, const StationOptions& options, Clock& clock, WinchFaults* faults = nullptr,
                 FaultScript script = {});

  // Winches and physics up to the present. What the host held up for more than 50 ms is lost: the device's time then
  // was paused, and no client is blamed for what it could not do in it.
  void advance();
  void restart() { station_.restart(); }

  const VirtualStation& station() const { return station_; }
  VirtualStation& station() { return station_; }
  PlatformState truth() const { return truth_.get().value_or(PlatformState{}); }  // any thread

  modbus::Refusal read(modbus::BitKind kind, std::uint16_t address, modbus::Bits& into) override;
  modbus::Refusal read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) override;
  modbus::Refusal write(std::uint16_t address, const modbus::Bits& values) override;
  modbus::Refusal write(std::uint16_t address, std::span<const std::uint16_t> values) override;
  modbus::Refusal exception_status(std::uint8_t& into) override;
  modbus::Refusal server_id(modbus::Octets& into) override;
  std::string_view identification(std::uint8_t object) const override;

 private:
  modbus::Refusal write_limits(std::size_t first, std::span<const std::uint16_t> values);

  VirtualStation station_;
  Clock& clock_;
  WinchFaults* faults_;
  FaultScript script_;
  Duration cycle_;
  Instant stepped_;      // the device's time has come this far
  Duration running_{0};  // of its time since it was made
  std::array<std::uint16_t, scratch::count> scratch_{};
  Latest<PlatformState> truth_;
};

}  // namespace tandem::cable_robot
