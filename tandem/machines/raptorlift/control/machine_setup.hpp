// SPDX-License-Identifier: Apache-2.0
// What the configuration means to the parts of the machine. Each throws std::invalid_argument for what cannot be.
#pragma once

#include <optional>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/control/path_follower.hpp"
#include "tandem/machines/raptorlift/control/steering_controller.hpp"
#include "tandem/machines/raptorlift/control/task.hpp"
#include "tandem/machines/raptorlift/device/gate.hpp"
#include "tandem/machines/raptorlift/device/link.hpp"

namespace tandem::raptorlift {

LinkOptions link_options_from(const machines::Setup& setup);
SteeringOptions steering_options_from(const machines::Options& options);
DriveOptions drive_options_from(const Description& description);
FollowerOptions follower_options_from(const Description& description);
FeedbackLimits feedback_limits_from(const Description& description);
std::optional<FigureEight> task_from(const machines::Options& options);

}  // namespace tandem::raptorlift
