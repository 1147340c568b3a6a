// SPDX-License-Identifier: Apache-2.0
// Who sent a message, as people know it.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

// The full name of the node that the endpoint belongs to; its gid ("01.0f.7f...") when the graph does not know it.
inline std::string publisher_name(const Gid& gid, const Graph& graph) {
  if (gid == Gid{}) return "this process";
  const auto endpoint = std::ranges::find(graph.endpoints, gid, &GraphEndpoint::gid);
  if (endpoint != graph.endpoints.end() && !endpoint->node.empty()) return endpoint->node;
  return fmt::format("{:02x}", fmt::join(gid, "."));
}

}  // namespace tandem::ros2
