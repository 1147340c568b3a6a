// The ROS side that arm and fingers share: context, node and the subscription of joint states.
#pragma once

#include <memory>
#include <optional>

#include "tandem/machines/ur3e/arm_ros_joints.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::ur3e {

class RosSide {
 public:
  RosSide(ros2::Context* context, ros2::ContextOptions own, Duration stale_after)
      : joints(std::make_shared<RosJoints>(stale_after)),
        node(context != nullptr ? *context : own_.emplace(std::move(own)), "tandem_iscoin"),
        states_(node.subscribe<ros2::sensor_msgs::JointState>(
            "/joint_states", ros2::Qos::sensor_data(),
            [joints = joints](const ros2::sensor_msgs::JointState& message, const ros2::MessageInfo&) {
              joints->take(message, system_clock().now());
            })) {}

 private:
  std::optional<ros2::Context> own_;  // before the node

 public:
  std::shared_ptr<RosJoints> joints;
  ros2::FullNode node;

 private:
  ros2::Subscription states_;
};

}  // namespace tandem::ur3e
