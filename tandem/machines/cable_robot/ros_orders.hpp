// Topics through which ROS users command the robot. What cannot be carried out is refused, and why is kept for
// /diagnostics and said on /rosout.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/cable_robot/orders.hpp"
#include "tandem/machines/cable_robot/ros_messages.hpp"
#include "tandem/ros2/command_input.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::cable_robot {

enum class Profile : std::uint8_t { seed, cdpr };
// In the node's namespace: where the platform shall be.
const char* pose_topic(Profile profile);

struct RosOrdersSetup {
  Profile profile = Profile::seed;
  Commander commander = Commander::pose;
  bool stamped = true;  // desired_pose is a PoseStamped
  std::string frame = "world";
  Duration oldest_stamp = 500ms;
  Duration command_timeout = 200ms;
  Duration log_interval = 2s;
};

class RosOrders {
 public:
  RosOrders(ros2::FullNode& node, const RosOrdersSetup& setup, const cables::Robot& robot, Orders& orders);

  // From any thread.
  std::string last_refusal() const;  // "" when there was none
  std::uint64_t refused() const;
  std::uint64_t ignored() const;  // not heard, as another publisher owns their topic

 private:
  template <ros2::Message M>
  void hear_desired_pose();
  void hear_cdpr();
  template <ros2::Message M>
  Result<PoseNumbers> checked(const M& message) const;
  void answer(const PoseNumbers& pose);
  void take(const std::string& topic, const PoseNumbers& pose, const Stamp* stamp, Instant received);
  void take(const ros2::sensor_msgs::JointState& message, Instant received);
  void take(const std::string& topic, const ros2::geometry_msgs::Twist& message, Mailbox<MotionOrder>& into,
            Instant received);
  void refuse(std::string_view topic, std::string_view why);

  ros2::FullNode& node_;
  const RosOrdersSetup setup_;
  const cables::Robot robot_;
  Orders& orders_;
  std::optional<ros2::Publisher<ros2::std_msgs::Float64MultiArray>> lengths_publisher_;
  ros2::std_msgs::Float64MultiArray lengths_;  // of the answering callback
  mutable std::mutex mutex_;
  std::string refusal_;  // guarded, as are all of these
  std::uint64_t refused_ = 0;
  Instant next_log_{};
  std::vector<ros2::Subscription> subscriptions_;  // last: their callbacks use the above
};

}  // namespace tandem::cable_robot
