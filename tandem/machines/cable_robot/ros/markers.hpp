// SPDX-License-Identifier: Apache-2.0
// The robot as shapes for RViz: frame, platform, cables by their tension, where it shall be, and its state in words.
#pragma once

#include <string>

#include "tandem/machines/cable_robot/ros/messages.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"

namespace tandem::cable_robot {

// Blue at the least tension, green in the middle of the range, red at the most.
ros2::std_msgs::ColorRGBA tension_color(double tension, const cables::TensionRange& range);

class Markers {
 public:
  // What is in the array, by place and by id.
  enum Shape : std::size_t { frame_edges, anchors, platform, cable_lines, desired, words, shape_count };

  Markers(const cables::Robot& robot, const std::string& frame);
  // Does not allocate once warm. A slack cable is dashed; without a target its shape is deleted.
  const ros2::visualization_msgs::MarkerArray& update(const State& state, const Stamp& stamp);

  static constexpr std::size_t dashes = 8;  // of a cable; each is two points

 private:
  void draw_cable(int i, const Pose& X_world_platform, const State& state);

  const cables::Robot robot_;
  ros2::visualization_msgs::MarkerArray array_;
};

}  // namespace tandem::cable_robot
