// SPDX-License-Identifier: Apache-2.0
// The UR3e's configuration keys, and what they mean to its parts.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/options.hpp"
#include "tandem/machines/ur3e/control/pilot.hpp"
#include "tandem/machines/ur3e/device/link.hpp"

namespace tandem::ur3e {

// Of the machine; the virtual controller adds its own in machine_type().
std::span<const machines::Option> bridge_options();
// What `tandem demo` sets besides the defaults.
std::span<const std::string> demo_settings();

// Each throws std::invalid_argument for what cannot be.
PilotOptions pilot_options_from(const machines::Options& options);
std::string frame_prefix_from(const machines::Options& options);
// "rtde://HOST[:30004][?dashboard=29999&primary=30001&gripper=63352]".
ControllerAddress address_from(const std::string& device);

}  // namespace tandem::ur3e
