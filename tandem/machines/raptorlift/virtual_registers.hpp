// The registers of the virtual PLC: words on one side, what they mean to its program on the other. The rows are those
// of the description, and a few of its own that tell where the truck really is.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/virtual_program.hpp"
#include "tandem/machines/raptorlift/virtual_truck.hpp"
#include "tandem/protocols/modbus/registers.hpp"

namespace tandem::raptorlift {

// Input registers that no real PLC has: int32 values in the description's word order, each times truth_scale.
namespace truth {
inline constexpr std::uint16_t start = 1000;
// x, y (m), yaw (rad) of the traction axle's middle from where it stood at first; forward and sideways speed (m/s),
// turn (rad/s) of it; distance travelled (m); slip (m/s); angles of the driven wheels, right and left (rad).
inline constexpr std::size_t values = 10;
inline constexpr std::uint16_t count = 2 * values;
inline constexpr double scale = 1e5;
}  // namespace truth

class VirtualRegisters {
 public:
  using CommandWords = std::span<const std::uint16_t, registers::command_count>;
  using FeedbackWords = std::span<std::uint16_t, registers::feedback_count>;
  using TruthWords = std::span<std::uint16_t, truth::count>;

  // Throws std::invalid_argument for scales that cannot be.
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
