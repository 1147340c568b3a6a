// SPDX-License-Identifier: Apache-2.0
// The registers of the virtual PLC: words on one side, what they mean to its program on the other. The rows are those
// of the description, and a few of its own that report where the truck really is.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/virtual/program.hpp"
#include "tandem/machines/raptorlift/virtual/truck.hpp"
#include "tandem/protocols/modbus/registers.hpp"

namespace tandem::raptorlift {

class VirtualRegisters {
 public:
  using CommandWords = std::span<const std::uint16_t, registers::command_count>;
  using FeedbackWords = std::span<std::uint16_t, registers::feedback_count>;
  using TruthWords = std::span<std::uint16_t, truth::count>;

  // Throws std::invalid_argument for invalid scales.
  explicit VirtualRegisters(const Description& description);

  // Whatever the words are: the program has its own limits.
  PlcCommands commands(CommandWords words) const;
  // What does not fit is the nearest that does.
  void feedback(const TruckState& state, FeedbackWords words) const;
  void truth(const TruckState& state, TruthWords words) const;
  // Which of the two registers of a value has its high half.
  std::size_t high_word() const { return high_word_; }

 private:
  modbus::RegisterTable commands_;  // target and torque of each axis
  modbus::RegisterTable feedback_;
  modbus::RegisterTable truth_;
  std::size_t high_word_ = 1;
};

}  // namespace tandem::raptorlift
