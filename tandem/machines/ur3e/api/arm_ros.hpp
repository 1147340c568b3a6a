// SPDX-License-Identifier: Apache-2.0
// An arm behind a ROS 2 joint-trajectory controller (Gazebo, ur_robot_driver, our own): goals go as action, the state
// comes from /joint_states, joints matched by name. What such a controller cannot do is refused by name.
#pragma once

#include <memory>
#include <string>

#include "tandem/machines/ur3e/api/gripper.hpp"
#include "tandem/machines/ur3e/arm.hpp"

namespace tandem::ros2 {
class Context;
}

namespace tandem::ur3e {

struct RosArmOptions {
  std::string controller = "/joint_trajectory_controller";
  ros2::Context* context = nullptr;  // null: one of its own, by the ROS environment variables
  Duration connect_within = 15s;     // until controller and joint states are found
  // Then until the controller has found us too, which takes a peer of another DDS vendor up to 3.2 s.
  Duration callable_within = 10s;
  Duration stale_after = 500ms;  // of /joint_states, which some publish slowly
};

struct RosArm {
  std::unique_ptr<Arm> arm;
  std::unique_ptr<Fingers> fingers;  // may outlive the arm
};

// Waits for the controller and the first joint states, until a goal that is sent now can be accepted.
Result<RosArm> open_ros_arm(const RosArmOptions& options);

}  // namespace tandem::ur3e
