// SPDX-License-Identifier: Apache-2.0
// Discovery servers as they are found: which ones answer, under which id, and what else is amiss with them.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "tandem/app/doctor/finding.hpp"
#include "tandem/ros2/context_options.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::app::doctor {

// By the configured id of a server that does not answer: under which id one does at its address.
using OtherIds = std::map<int, int>;

// Asks at the addresses of the servers that do not answer, as a client of servers with the ids up to 31. Takes 1.5 s,
// or no time if all are connected.
OtherIds other_ids(const ros2::ContextOptions& options, const std::vector<ros2::ServerState>& servers);

Findings judge_servers(const std::vector<ros2::ServerState>& servers, const OtherIds& others);
// Servers do not keep domains apart.
Findings judge_domains(int own, const ros2::Graph& graph);
// Variables that name servers other than those that are used.
Findings judge_unused_servers(const ros2::ContextOptions& options,
                              const std::function<const char*(const char*)>& variable);

}  // namespace tandem::app::doctor
