// SPDX-License-Identifier: Apache-2.0
// The tables that the peers' checks expect: libmodbus' documented test values and the forklift's coils and registers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tandem/protocols/modbus/memory_device.hpp"

namespace tandem::modbus::peers {

inline constexpr std::array<std::uint8_t, 5> coil_bytes{0xCD, 0x6B, 0xB2, 0x0E, 0x1B};  // 37 coils from 0x130 on
inline constexpr std::array<std::uint8_t, 3> input_bytes{0xAC, 0xDB, 0x35};             // 22 inputs from 0x1C4 on

class PeerDevice : public MemoryDevice {
 public:
  PeerDevice() {
    add(Table::coils, 0x130, 37);
    add(Table::coils, 0, 5);
    alias(Table::coils, 8192, 0, 5);
    add(Table::discrete_inputs, 0x1C4, 22);
    add(Table::holding_registers, 0x160, 32);
    add(Table::holding_registers, 0, 32);
    add(Table::input_registers, 0x108, 1);
    const Bits inputs(input_bytes, 22);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      assign(Table::discrete_inputs, static_cast<std::uint16_t>(0x1C4 + i), inputs[i]);
    assign(Table::input_registers, 0x108, 0x000A);
    // A 32-bit value with its low word first, as the forklift's feedback is: -123456.
    assign(Table::holding_registers, 16, 0x1DC0);
    assign(Table::holding_registers, 17, 0xFFFE);
    status = 0x55;
    id = "\xB4\xFFLMB tandem";
    objects = {{0, "Tandem"}, {1, "virtual"}, {2, "1.0"}, {4, "RaptorLift"}};
  }
};

}  // namespace tandem::modbus::peers
