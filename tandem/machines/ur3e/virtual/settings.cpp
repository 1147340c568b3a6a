// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/settings.hpp"

#include <fmt/format.h>

namespace tandem::ur3e {
namespace {

constexpr std::array<std::int32_t, 5> output_counts{8, 8, 2, 128, 2};
constexpr std::int32_t input_port = 0, output_port = 1, first_general = 128, last_general = 255;
constexpr std::int32_t bits_per_register = 16;

std::size_t first_place(Settings::Output kind) {
  std::int32_t first = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kind); ++i) first += output_counts[i];
  return static_cast<std::size_t>(first);
}

Error no_port(std::int32_t address, const char* what) {
  return {Fault::invalid, fmt::format("expected a {} of the registers 0, 1 or {} to {}, got {}", what, first_general,
                                      last_general, address)};
}

}  // namespace

std::int32_t Settings::count(Output kind) { return output_counts[static_cast<std::size_t>(kind)]; }

void Settings::runstate(Output kind, std::int32_t index, Runstate state) {
  const std::size_t place = first_place(kind) + static_cast<std::size_t>(index);
  runstates_[place] = state;
  any_runstate_ = true;
  if (was_running_ && (state == Runstate::high_when_running || state == Runstate::high_from_start_low_failed))
    drive(place, true);
  if (state == Runstate::high_with_drive_power) drive(place, had_power_);
  if (state == Runstate::low_with_drive_power) drive(place, !had_power_);
}

void Settings::drive(std::size_t place, bool high) {
  std::size_t kind = 0;
  auto index = static_cast<std::int32_t>(place);
  while (index >= output_counts[kind]) index -= output_counts[kind++];
  // The index is within its group, so that none of these can fail.
  switch (static_cast<Output>(kind)) {
    case Output::standard:
      return void(io_.digital_output(standard_bits, index, high).ok());
    case Output::configurable:
      return void(io_.digital_output(configurable_bits, index, high).ok());
    case Output::tool:
      return void(io_.digital_output(tool_bits, index, high).ok());
    case Output::boolean_register:
      return ur::write_output_bit(variables_.state, static_cast<std::size_t>(index), high);
    case Output::analog:
      return void(io_.analog_output(index, high ? 1.0 : 0.0).ok());
  }
}

void Settings::reset() {
  freedrive_inputs = 0;
  freedrive_registers.reset();
  flags = {};
  deviation_threshold.reset();
  ports_ = {};
  encoder_ticks(0, 0);
  encoder_ticks(1, 0);
  encoders_ = {};
  runstates_ = {};
  any_runstate_ = was_running_ = had_power_ = false;
}

void Settings::step(bool running, bool failed, bool drive_power) {
  const bool started = running && !was_running_, ended = !running && was_running_;
  const bool power_changed = drive_power != had_power_;
  was_running_ = running;
  had_power_ = drive_power;
  if (!any_runstate_ || !(started || ended || power_changed)) return;
  for (std::size_t i = 0; i < runstates_.size(); ++i) {
    const Runstate state = runstates_[i];
    if (started && (state == Runstate::high_when_running || state == Runstate::high_from_start_low_failed))
      drive(i, true);
    if (ended && state == Runstate::high_when_not_running) drive(i, true);
    if (ended && (state == Runstate::low_when_not_running || state == Runstate::high_when_running)) drive(i, false);
    if (ended && failed && (state == Runstate::low_when_failed || state == Runstate::high_from_start_low_failed))
      drive(i, false);
    if (state == Runstate::high_with_drive_power) drive(i, drive_power);
    if (state == Runstate::low_with_drive_power) drive(i, !drive_power);
  }
}

bool Settings::freedrive_asked() const {
  if ((variables_.state.actual_digital_input_bits & freedrive_inputs) != 0) return true;
  if (freedrive_registers.none()) return false;
  for (std::size_t i = 0; i < freedrive_registers.size(); ++i)
    if (freedrive_registers[i] && ur::input_bit(variables_.inputs, i)) return true;
  return false;
}

Result<std::int32_t> Settings::port_register(std::int32_t address) const {
  const auto bits = [](std::uint64_t word) {
    return std::int32_t{static_cast<std::int16_t>(static_cast<std::uint16_t>(word & 0xffff))};
  };
  if (address == input_port) return bits(variables_.state.actual_digital_input_bits);
  if (address == output_port) return bits(variables_.state.actual_digital_output_bits);
  if (address < first_general || address > last_general) return no_port(address, "port");
  return bits(ports_[static_cast<std::size_t>(address - first_general)]);
}

Result<void> Settings::port_register(std::int32_t address, std::int32_t value) {
  if (address != output_port && (address < first_general || address > last_general)) return no_port(address, "port");
  if (value < -32768 || value > 65536)
    return Error{Fault::invalid, fmt::format("expected -32768 to 65536, got {}", value)};
  const auto word = static_cast<std::uint16_t>(static_cast<std::uint32_t>(value) & 0xffffu);
  if (address != output_port) {
    ports_[static_cast<std::size_t>(address - first_general)] = word;
    return {};
  }
  for (std::int32_t i = 0; i < bits_per_register; ++i)
    if (auto written = port_bit(output_port * bits_per_register + i, (word >> i & 1) != 0); !written) return written;
  return {};
}

Result<bool> Settings::port_bit(std::int32_t address) const {
  if (address < 0) return no_port(address, "bit");
  const auto word = port_register(address / bits_per_register);
  if (!word) return no_port(address, "bit");
  return (static_cast<std::uint32_t>(*word) >> (address % bits_per_register) & 1u) != 0;
}

Result<void> Settings::port_bit(std::int32_t address, bool on) {
  const std::int32_t place = address / bits_per_register, bit = address % bits_per_register;
  if (address >= 0 && place == output_port) {
    if (bit < standard_bits.count) return io_.digital_output(standard_bits, bit, on);
    return io_.digital_output(configurable_bits, bit - standard_bits.count, on);
  }
  if (address < 0 || place < first_general || place > last_general) return no_port(address, "bit");
  std::uint16_t& word = ports_[static_cast<std::size_t>(place - first_general)];
  const auto mask = static_cast<std::uint16_t>(1u << bit);
  word = static_cast<std::uint16_t>(on ? word | mask : word & ~mask);
  return {};
}

void Settings::encoder_ticks(std::size_t index, std::int64_t ticks) {
  encoders_[index].ticks = ticks;
  const auto raw = static_cast<std::int32_t>(static_cast<std::uint32_t>(ticks & 0xffffffff));
  (index == 0 ? variables_.state.encoder0_raw : variables_.state.encoder1_raw) = raw;
}

}  // namespace tandem::ur3e
