// SPDX-License-Identifier: Apache-2.0
// What a Modbus server serves: four tables of addresses, some words about itself, and who it answers for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tandem/protocols/modbus/codec.hpp"

namespace tandem::modbus {

// Nothing when it was done, or the exception that the client is answered.
using Refusal = std::optional<ExceptionCode>;

// Counts are inside the limits and no address passes 65535 when these are called. A write is done whole or refused
// whole. What a device does not override is answered with illegal_function.
class Device {
 public:
  enum class UnitAnswer { serve, silence, no_such_unit };

  virtual ~Device() = default;

  // As most TCP servers: every unit id is us.
  virtual UnitAnswer unit(std::uint8_t) const { return UnitAnswer::serve; }

  // `into` has the size that was asked for.
  virtual Refusal read(BitKind kind, std::uint16_t address, Bits& into) = 0;
  virtual Refusal read(WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) = 0;
  virtual Refusal write(std::uint16_t address, const Bits& values) = 0;
  virtual Refusal write(std::uint16_t address, std::span<const std::uint16_t> values) = 0;

  virtual Refusal exception_status(std::uint8_t&) { return ExceptionCode::illegal_function; }
  virtual Refusal server_id(Octets&) { return ExceptionCode::illegal_function; }
  // The text of an object (0 vendor, 1 product code, 2 revision, 3 URL, 4 product name, 5 model, 6 application, from
  // 128 on the device's own); empty when there is none. A device without object 0 has no identification at all.
  virtual std::string_view identification(std::uint8_t) const { return {}; }
};

}  // namespace tandem::modbus
