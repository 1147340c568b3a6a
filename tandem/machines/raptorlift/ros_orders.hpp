// Topics and services through which ROS users command the truck. What cannot be carried out is refused, and why is kept
// for /diagnostics.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "tandem/machines/raptorlift/orders.hpp"
#include "tandem/machines/raptorlift/ros_messages.hpp"
#include "tandem/ros2/command_input.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/service.hpp"

namespace tandem::raptorlift {

struct RosOrdersSetup {
  Description description;
  Commander commander = Commander::internal;
  JointUnits units;
  std::string prefix;  // before the names of joints
  bool cmd_vel_stamped = false;
  Duration reference_timeout = 500ms;
  Duration command_timeout = 200ms;
};

class RosOrders {
 public:
  RosOrders(ros2::FullNode& node, const RosOrdersSetup& setup, Orders& orders);

  // From any thread.
  std::string last_refusal() const;  // "" when there was none
  std::uint64_t refused() const;

 private:
  void hear(VelocityInput input);
  void take(VelocityInput input, const std::string& topic, const ros2::geometry_msgs::Twist& twist, const Stamp* stamp,
            Instant received);
  void take(const ros2::sensor_msgs::JointState& message, Instant received);
  void refuse(std::string_view topic, std::string_view why);

  ros2::FullNode& node_;
  const RosOrdersSetup setup_;
  Orders& orders_;
  mutable std::mutex mutex_;
  std::string refusal_;  // guarded, as are all of these
  std::uint64_t refused_ = 0;
  UtcTime last_stamp_{};  // of joint commands
  std::vector<ros2::Subscription> subscriptions_;
  std::optional<ros2::Service<ros2::control_msgs::SetOdometry>> set_odometry_;
};

}  // namespace tandem::raptorlift
