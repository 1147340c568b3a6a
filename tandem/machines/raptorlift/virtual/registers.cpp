// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/registers.hpp"

#include "tandem/machines/raptorlift/register_tables.hpp"

namespace tandem::raptorlift {
namespace {

// Numbers that are not finite do not occur: the physics trips before.
void put(const modbus::RegisterTable& table, std::size_t row, double value,
         const modbus::RegisterBlock<std::uint16_t>& block) {
  static_cast<void>(table.encode_saturated(row, value, block).ok());
}

}  // namespace

VirtualRegisters::VirtualRegisters(const Description& description)
    : commands_(command_table(description, Ranges::none)),
      feedback_(feedback_table(description, Ranges::none)),
      truth_(truth_table(description)) {
  const modbus::WordOrder order = word_order_of(description);
  high_word_ = order == modbus::WordOrder::cdab || order == modbus::WordOrder::dcba ? 1 : 0;
}

PlcCommands VirtualRegisters::commands(CommandWords words) const {
  const modbus::RegisterBlock<const std::uint16_t> block{registers::command_start, words};
  PlcCommands commands;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    const auto target = commands_.decode(2 * axis, block);
    const auto torque = commands_.decode(2 * axis + 1, block);
    if (!target || !torque) continue;  // every pattern of bits is an integer
    (steers(axis) ? commands.positions[axis - first_steering_axis] : commands.speed_limits[axis]) = *target;
    commands.torques[axis] = *torque;
  }
  return commands;
}

void VirtualRegisters::feedback(const TruckState& state, FeedbackWords words) const {
  const modbus::RegisterBlock<std::uint16_t> block{registers::feedback_start, words};
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    put(feedback_, axis, steers(axis) ? state.angles[axis] : state.speeds[axis], block);
}

void VirtualRegisters::truth(const TruckState& state, TruthWords words) const {
  const std::array<double, truth::values> values = {state.axle.x,    state.axle.y,   state.axle.yaw, state.twist.vx,
                                                    state.twist.vy,  state.twist.w,  state.distance, state.slip,
                                                    state.angles[0], state.angles[1]};
  const modbus::RegisterBlock<std::uint16_t> block{truth::start, words};
  for (std::size_t i = 0; i < values.size(); ++i) put(truth_, i, values[i], block);
}

}  // namespace tandem::raptorlift
