// SPDX-License-Identifier: Apache-2.0
// Nodes, topics and frames of the machine, without starting it.
#pragma once

#include "tandem/machines/ros_names.hpp"

namespace tandem::raptorlift {

// Throws std::invalid_argument for names that ROS does not allow.
machines::RosNames ros_names(const machines::Options& options);

}  // namespace tandem::raptorlift
