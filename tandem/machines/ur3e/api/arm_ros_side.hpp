// SPDX-License-Identifier: Apache-2.0
// The ROS side that arm and fingers share: context, node and the subscription of joint states.
#pragma once

#include <memory>
#include <optional>

#include "tandem/machines/ur3e/api/arm_ros_joints.hpp"
#include "tandem/machines/ur3e/api/gripper.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::ur3e {

class RosSide {
  std::optional<ros2::Context> own_;  // before what uses it

 public:
  RosSide(ros2::Context* given, ros2::ContextOptions own, Duration stale_after)
      : context(given != nullptr ? *given : own_.emplace(std::move(own))),
        joints(std::make_shared<RosJoints>(stale_after)),
        node(context, "tandem_iscoin"),
        states_(node.subscribe<ros2::sensor_msgs::JointState>(
            "/joint_states", ros2::Qos::sensor_data(),
            [joints = joints](const ros2::sensor_msgs::JointState& message, const ros2::MessageInfo&) {
              joints->take(message, system_clock().now());
            })) {}

  ros2::Context& context;
  std::shared_ptr<RosJoints> joints;
  ros2::FullNode node;

 private:
  ros2::Subscription states_;
};

class RosFingers : public Fingers {
 public:
  // Waits until the gripper's controllers, where they have been found, can take a goal.
  virtual void wait_until_callable(Duration timeout) = 0;
};

std::unique_ptr<RosFingers> make_ros_fingers(const std::shared_ptr<RosSide>& side);

}  // namespace tandem::ur3e
