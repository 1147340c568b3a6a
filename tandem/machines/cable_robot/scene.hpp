// SPDX-License-Identifier: Apache-2.0
// What the cable robot looks like: its frame, pulleys, platform, cables coloured by tension, and its workspace.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/cable_robot/control/border.hpp"
#include "tandem/machines/cable_robot/state.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::cable_robot {

// Where a person's sliders go: geometry_msgs/msg/PoseStamped, or Pose.
struct PoseTopic {
  std::string topic;  // full name: "/desired_pose"
  bool stamped = true;
  std::string frame = "world";
};

// Frames: "platform", "desired" (where it shall be) and "true place" (where a virtual platform says that it really is).
// Sliders reach over a box in which the level platform is inside the border everywhere. Without a topic there are none.
machines::Scene make_scene(const Border& border, const std::optional<PoseTopic>& topic);

// Nothing while the pose is not known. Scalars are the measured tensions, N.
machines::Picture picture_of(const State& state);
// The same with the platform where it really is; nothing unless a virtual one reports.
machines::Picture truth_picture_of(const State& state);

// Half the extent, m, of the largest box about home, with the frame's proportions, whose corners are inside.
Eigen::Vector3d reach_about_home(const Border& border);

}  // namespace tandem::cable_robot
