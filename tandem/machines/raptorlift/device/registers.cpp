// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/device/registers.hpp"

#include "tandem/machines/raptorlift/register_tables.hpp"

namespace tandem::raptorlift {

PlcRegisters::PlcRegisters(const Description& description)
    : commands_(command_table(description, Ranges::checked)),
      feedback_(feedback_table(description, Ranges::checked)),
      truth_(truth_table(description)),
      coils_(description.plc.coil_base, {"M0 (error reset)", "M1 (front right enable)", "M2 (front left enable)",
                                         "M3 (rear right enable)", "M4 (rear left enable)"}) {}

Result<bool> PlcRegisters::encode(const AxisCommands& commands, CommandWords& words) const {
  const std::array<double, axis_count> targets = {commands.speed_limits[0], commands.speed_limits[1],
                                                  commands.positions[0], commands.positions[1]};
  const modbus::RegisterBlock<std::uint16_t> block{registers::command_start, words};
  bool saturated = false;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    auto target = commands_.encode_saturated(2 * axis, targets[axis], block);
    if (!target) return std::move(target).error();
    auto torque = commands_.encode_saturated(2 * axis + 1, commands.torques[axis], block);
    if (!torque) return std::move(torque).error();
    saturated = saturated || *target || *torque;
  }
  return saturated;
}

Result<Wheels> PlcRegisters::decode(std::span<const std::uint16_t, registers::feedback_count> words) const {
  const modbus::RegisterBlock<const std::uint16_t> block{registers::feedback_start, words};
  std::array<double, axis_count> all{};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    auto value = feedback_.decode(axis, block);
    if (!value) return std::move(value).error();
    all[axis] = *value;
  }
  return Wheels{all[0], all[1], all[2], all[3]};
}

std::optional<kinematics::ackermann::PlanarPose> PlcRegisters::decode_truth(
    std::span<const std::uint16_t> words) const {
  const modbus::RegisterBlock<const std::uint16_t> block{truth::start, words};
  const auto x = truth_.decode(0, block), y = truth_.decode(1, block), yaw = truth_.decode(2, block);
  if (!x || !y || !yaw) return std::nullopt;
  return kinematics::ackermann::PlanarPose{*x, *y, *yaw};
}

}  // namespace tandem::raptorlift
