// SPDX-License-Identifier: Apache-2.0
// What the RaptorLift looks like: chassis with overhead guard, mast and fork, two driven wheels, two that steer.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/raptorlift/state.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::raptorlift {

// Where a person's keys go: geometry_msgs/msg/Twist, or TwistStamped.
struct JogTopic {
  std::string topic;  // full name: "/cmd_vel"
  bool stamped = false;
};

// The world is odom, its ground at zero. Frames: base_link, then the links of the four axes, then "true place": where a
// virtual truck says that it really is. Without a topic no one jogs.
machines::Scene make_scene(const Description& description, const std::optional<JogTopic>& jog);

// Nothing before the first sample.
machines::Picture picture_of(const State& state, const Description& description);
// The same truck where it really is; nothing unless a virtual one reports.
machines::Picture truth_picture_of(const State& state, const Description& description);

}  // namespace tandem::raptorlift
