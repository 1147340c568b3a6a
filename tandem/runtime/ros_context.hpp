// SPDX-License-Identifier: Apache-2.0
// How a running tandem takes part in ROS 2: the configuration first, then the environment, then
// as far as the machines themselves are.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/ros2/context_options.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/supervision/event.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::ros2 {
class SampleTap;
}

namespace tandem::runtime {

struct RosContext {
  std::shared_ptr<ros2::Context> context;  // null: no ROS
  std::string text;                        // for people: "domain 0, this computer only"
};

// How far others are looked for without word from configuration and environment: virtual machines and devices on this
// computer stay on it; with one device elsewhere, its network may listen.
ros2::DiscoveryRange default_range(const Config& config);

// What configuration and environment say together. Throws std::runtime_error where ROS refuses to start.
struct RosOptions {
  ros2::ContextOptions options;
  std::vector<std::string> warnings;
};
RosOptions ros_options(const Config& config, const std::function<const char*(const char*)>& environment);

// Throws std::runtime_error where ROS refuses to start.
RosContext make_ros_context(const Config& config, const OnEvent& on_event, ros2::SampleTap* tap = nullptr);

// The discovery servers of this context, as they are now; empty where others are found without.
std::vector<DiscoveryServerStatus> discovery_servers_of(const ros2::Context& context);

// The topics this process publishes, by name, without those of ROS itself.
std::vector<std::string> published_topics(const ros2::Context& context);

}  // namespace tandem::runtime
