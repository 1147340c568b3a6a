// SPDX-License-Identifier: Apache-2.0
// What a program configures beside the motion: flags, Modbus ports, encoders, actions of inputs, and outputs that
// follow the state of the program.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "tandem/machines/ur3e/virtual/io.hpp"

namespace tandem::ur3e {

// What an output does by itself, numbered as set_runstate_..._to_value has it.
enum class Runstate : std::uint8_t {
  preserve,
  low_when_not_running,
  high_when_not_running,
  high_when_running,
  low_when_failed,  // stopped by an error or for safety
  high_from_start_low_failed,
  high_with_drive_power,
  low_with_drive_power,
};

struct Encoder {
  std::optional<int> range;  // as encoder_enable_set_tick_count numbers them; none: not enabled
  std::int64_t ticks = 0;
};

class Settings {
 public:
  Settings(ur::Variables& variables, Io& io) : variables_(variables), io_(io) {}

  enum class Output : std::uint8_t { standard, configurable, tool, boolean_register, analog };
  static std::int32_t count(Output kind);
  void runstate(Output kind, std::int32_t index, Runstate state);

  // Inputs whose action is "freedrive": bits of the controller's mask, and boolean registers.
  std::uint64_t freedrive_inputs = 0;
  std::bitset<128> freedrive_registers;
  bool freedrive_asked() const;  // one of them is high

  // Registers that Modbus clients see: 0 inputs, 1 outputs, 128 to 255 for general use. Bit 16 n + i is bit i of n.
  Result<std::int32_t> port_register(std::int32_t address) const;
  Result<void> port_register(std::int32_t address, std::int32_t value);
  Result<bool> port_bit(std::int32_t address) const;
  Result<void> port_bit(std::int32_t address, bool on);

  Encoder& encoder(std::size_t index) { return encoders_[index]; }
  void encoder_ticks(std::size_t index, std::int64_t ticks);

  void reset();  // as after switching the controller on
  // Once per cycle: drives the outputs that follow the program.
  void step(bool running, bool failed, bool drive_power);

  std::array<bool, 32> flags{};
  std::optional<double> deviation_threshold;  // of joint_position_deviation_ratio; none: no warning

 private:
  void drive(std::size_t place, bool high);

  ur::Variables& variables_;
  Io& io_;
  static constexpr std::size_t general_registers = 128;
  std::array<std::uint16_t, general_registers> ports_{};
  std::array<Encoder, 2> encoders_;
  std::array<Runstate, 8 + 8 + 2 + 128 + 2> runstates_{};
  bool any_runstate_ = false;
  bool was_running_ = false, had_power_ = false;
};

}  // namespace tandem::ur3e
