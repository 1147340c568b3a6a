// SPDX-License-Identifier: Apache-2.0
// Whether the machines of one configuration can share a ROS domain: by their names, before anything starts.
#pragma once

#include <string>
#include <vector>

#include "tandem/runtime/config/config.hpp"

namespace tandem::runtime {

struct RosCollisions {
  // Two machines that obey one topic, publish one command topic, have a node of one name or place one frame.
  std::vector<ConfigError::Problem> problems;
  // What works, but is seldom meant: two publishers of one state topic, a machine that hangs on another one's frame.
  std::vector<std::string> warnings;
};

// Empty where ROS is disabled.
RosCollisions ros_collisions(const Config& config);

}  // namespace tandem::runtime
