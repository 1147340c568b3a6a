// SPDX-License-Identifier: Apache-2.0
// Several may want to drive: of those heard lately the one with the highest priority does.
#pragma once

#include <array>
#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/machines/raptorlift/velocity_inputs.hpp"

namespace tandem::raptorlift {

class VelocityMux {
 public:
  struct Choice {
    VelocityInput input{};
    kinematics::ackermann::Twist twist;
  };

  // An input that is silent for `timeout` no longer counts.
  explicit VelocityMux(Duration timeout = 500ms) : timeout_(timeout) {}

  void take(VelocityInput input, const kinematics::ackermann::Twist& twist, Instant at);
  // That input does not count until it is heard again.
  void drop(VelocityInput input) { heard_[static_cast<std::size_t>(input)] = {}; }
  // Nothing of before counts: after a stop and before the next start.
  void forget();
  // Nothing when no client was received lately.
  std::optional<Choice> choose(Instant now) const;

 private:
  struct Heard {
    kinematics::ackermann::Twist twist;
    Instant at{};
    bool ever = false;
  };

  Duration timeout_;
  std::array<Heard, velocity_input_count> heard_{};
};

}  // namespace tandem::raptorlift
