// SPDX-License-Identifier: Apache-2.0
// What the Orca looks like: hull, floats, dome, six thrusters, the sea floor and the water's surface.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/orca/state.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::orca {

// Where a person's keys go: geometry_msgs/msg/Twist, body FLU; and set points: geometry_msgs/msg/PoseStamped in map.
struct JogTopic {
  std::string topic;      // full name: "/orca/cmd_vel"
  double full_speed = 1;  // m/s
  double full_turn = 1;   // rad/s
  std::string goal{};     // full name: "/orca/goal_pose"; empty: no set points
};

// The world is the map, lifted so that the sea floor is its ground and the surface is above. Frames: base_link, and
// "slam": where the SLAM sees it. Without a topic no one jogs.
machines::Scene make_scene(const std::optional<JogTopic>& jog, const std::string& camera_topic);

// Nothing before the vehicle has reported its attitude.
machines::Picture picture_of(const State& state);
// The vehicle at this place, as anyone who knows where it truly is draws it.
machines::Picture picture_at(const Pose& X_map_base);

}  // namespace tandem::orca
