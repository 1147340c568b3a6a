// SPDX-License-Identifier: Apache-2.0
// The EM1500's twin: a simulated platform driven only by what is published on the legs' topic, as any other
// simulation that listens to it would be.
#pragma once

#include <memory>
#include <span>

#include "tandem/machines/machine.hpp"

namespace tandem::em1500 {

// Listens to the legs of the configured profile; publishes stewart/twin/joint_states (lengths, velocities, forces) and
// stewart/twin/residual (commanded - twin, m, leg 1 to 6). Without ROS there is nothing to follow: throws
// std::invalid_argument.
std::unique_ptr<machines::Twin> make_twin(const machines::Setup& setup);

// Its configuration keys, beside those of the bridge and the virtual PLC.
std::span<const machines::Option> twin_options();

}  // namespace tandem::em1500
