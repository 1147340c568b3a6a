// SPDX-License-Identifier: Apache-2.0
// ROS 2 as it is found: how far this computer looks for others, who is there, and who cannot hear whom.
#pragma once

#include "tandem/app/doctor/finding.hpp"
#include "tandem/ros2/context_options.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::app::doctor {

struct InterfaceFacts {
  std::string name, address;
  bool loopback = false;
  bool multicast = false;
};
std::vector<InterfaceFacts> look_at_interfaces();  // those that are up

Findings judge_discovery(const ros2::ContextOptions& options, const std::vector<InterfaceFacts>& interfaces);
// Everybody's topics, not only ours: publishers and subscriptions of one topic that do not fit, names used twice.
Findings judge_graph(const ros2::Graph& graph);

}  // namespace tandem::app::doctor
