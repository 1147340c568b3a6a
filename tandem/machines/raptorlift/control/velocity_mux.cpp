// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/velocity_mux.hpp"

namespace tandem::raptorlift {

void VelocityMux::take(VelocityInput input, const kinematics::ackermann::Twist& twist, Instant at) {
  heard_[static_cast<std::size_t>(input)] = {twist, at, true};
}

void VelocityMux::forget() { heard_ = {}; }

std::optional<VelocityMux::Choice> VelocityMux::choose(Instant now) const {
  for (std::size_t i = 0; i < velocity_input_count; ++i) {
    if (heard_[i].ever && now - heard_[i].at <= timeout_) return Choice{static_cast<VelocityInput>(i), heard_[i].twist};
  }
  return std::nullopt;
}

}  // namespace tandem::raptorlift
