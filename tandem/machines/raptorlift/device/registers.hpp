// SPDX-License-Identifier: Apache-2.0
// The PLC's registers and coils by name: axis commands and measurements in SI on one side, words on the other. All
// scales, word orders, directions and the flip of the rear axle are in the tables, and nowhere else.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "tandem/kinematics/ackermann/odometry.hpp"
#include "tandem/machines/raptorlift/axes.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/protocols/modbus/registers.hpp"

namespace tandem::raptorlift {

class PlcRegisters {
 public:
  using CommandWords = std::array<std::uint16_t, registers::command_count>;    // D0 to D15
  using FeedbackWords = std::array<std::uint16_t, registers::feedback_count>;  // D16 to D23

  // Throws std::invalid_argument for scales and ranges that do not fit 32 bits.
  explicit PlcRegisters(const Description& description);

  // What is out of its register's range goes to the nearest that fits; true when that was so. NaN is an error.
  Result<bool> encode(const AxisCommands& commands, CommandWords& words) const;
  // Fault::invalid, and a name, for what no truck measures.
  Result<Wheels> decode(std::span<const std::uint16_t, registers::feedback_count> words) const;

  // Where a virtual truck's traction axle really is; nothing for invalid words.
  std::optional<kinematics::ackermann::PlanarPose> decode_truth(std::span<const std::uint16_t> words) const;

  const modbus::CoilTable& coil_table() const { return coils_; }
  // Of the value that D<word> is part of: "front_right target_torque".
  const std::string& command_name(std::size_t word) const { return commands_.rows()[word / 2].name; }

 private:
  modbus::RegisterTable commands_;  // in the order of their addresses
  modbus::RegisterTable feedback_;
  modbus::RegisterTable truth_;
  modbus::CoilTable coils_;
};

}  // namespace tandem::raptorlift
