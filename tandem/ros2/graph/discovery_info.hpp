// SPDX-License-Identifier: Apache-2.0
// ros_discovery_info: which nodes a participant has, and which endpoints are theirs.
#pragma once

#include <span>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

inline constexpr const char* discovery_topic = "ros_discovery_info";

struct DiscoveryInfo {
  Gid participant{};
  std::vector<GraphNode> nodes;
};

// As CDR: Gids of 24 bytes for Humble and earlier, of 16 for Iron and later.
std::vector<std::uint8_t> encode_discovery_info(const DiscoveryInfo& info, bool humble);

// Either form; the bytes tell which.
Result<DiscoveryInfo> decode_discovery_info(Bytes bytes);

}  // namespace tandem::ros2
