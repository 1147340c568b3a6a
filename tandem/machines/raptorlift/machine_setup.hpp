// What the configuration means to the parts of the machine. Each throws std::invalid_argument for what cannot be.
#pragma once

#include <optional>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/raptorlift/drive.hpp"
#include "tandem/machines/raptorlift/feedback_gate.hpp"
#include "tandem/machines/raptorlift/plc_link.hpp"
#include "tandem/machines/raptorlift/steering_controller.hpp"
#include "tandem/machines/raptorlift/task.hpp"

namespace tandem::raptorlift {

PlcLinkOptions link_options_from(const machines::Setup& setup);
SteeringOptions steering_options_from(const machines::Options& options);
DriveOptions drive_options_from(const Description& description);
FeedbackLimits feedback_limits_from(const Description& description);
std::optional<FigureEight> task_from(const machines::Options& options);

}  // namespace tandem::raptorlift
