// SPDX-License-Identifier: Apache-2.0
// Jogging from ROS: joint speeds, joint angles and finger positions as topics. A speed becomes a short trajectory that
// ends at rest, so anyone who falls silent has stopped the arm half a second later. Angles become one gentle move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/goals.hpp"
#include "tandem/machines/ur3e/scene.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::ur3e {

// The ramp to these speeds (rad/s), a while at them, and the ramp down to rest, from where the joints are now. An error
// when a joint would leave its range.
Result<std::vector<kinematics::trajectory::Waypoint>> jog_path(const kinematics::trajectory::JointState& start,
                                                               const Joints& speeds);

// One gentle move to these angles (rad), at rest in the end; an arm that moves brakes first. An error when a joint
// would leave its range.
Result<std::vector<kinematics::trajectory::Waypoint>> set_point_path(const kinematics::trajectory::JointState& start,
                                                                     const Joints& target);

class RosJog {
 public:
  // Topics forward_velocity_controller/commands and forward_position_controller/commands, as ros2_control's controllers
  // of those names have them, and hande_position_controller/commands. Of several publishers one jogs.
  RosJog(ros2::FullNode& node, bool has_hand, const Latest<State>& state, Commands& commands,
         machines::Refusals& refusals);

  const JogTopics& topics() const { return topics_; }
  // From any thread. Commands that were not heard, as another publisher owns their topic.
  std::uint64_t ignored() const { return inbox_.ignored(); }

 private:
  using Numbers = ros2::std_msgs::Float64MultiArray;

  void hear(std::string& topic, const char* name, bool every, std::string (RosJog::*take)(const Numbers&));
  std::string jog(const Numbers& message);  // "" or why not
  std::string place(const Numbers& message);
  std::string grip(const Numbers& message);
  std::string drive(const kinematics::trajectory::JointState& start,
                    Result<std::vector<kinematics::trajectory::Waypoint>> points);
  std::string not_ready(const State& state) const;

  const Latest<State>& state_;
  Commands& commands_;
  JogTopics topics_;
  machines::Refusals& refusals_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::ur3e
