// SPDX-License-Identifier: Apache-2.0
// Which measurements of the truck are believed. Modbus TCP has no checksum of its own, and a 32-bit value may be read
// while the PLC is writing its second half.
#pragma once

#include <cstdint>
#include <optional>

#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/machines/kit/verdict.hpp"

namespace tandem::raptorlift {

struct FeedbackLimits {
  double speed = 60;        // rad/s, of a driven wheel, each way
  double angle = 0.8;       // rad, of the steering, each way
  double speed_jump = 3.2;  // rad/s between two samples; half of what a torn value is wrong by
};

class Gate {
 public:
  explicit Gate(const FeedbackLimits& limits) : limits_(limits) {}

  // Out of range: never. A jump: only when the next sample says the same, so a torn value never passes, and a true jump
  // costs one sample.
  machines::Verdict judge(const kinematics::ackermann::Wheels& measured);
  // The next sample has none before it.
  void forget();

  std::uint64_t jumps() const { return jumps_; }  // samples that were not believed for their jump

 private:
  bool jumped(const kinematics::ackermann::Wheels& from, const kinematics::ackermann::Wheels& to) const;

  FeedbackLimits limits_;
  std::optional<kinematics::ackermann::Wheels> last_;     // believed
  std::optional<kinematics::ackermann::Wheels> suspect_;  // the one after it, when that jumped
  std::uint64_t jumps_ = 0;
};

}  // namespace tandem::raptorlift
