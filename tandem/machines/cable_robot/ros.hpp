// What the cable robot is to ROS users: its node and topics, under the names of the original or of the cdpr package.
#pragma once

#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/cable_robot/description.hpp"
#include "tandem/machines/cable_robot/ros_markers.hpp"
#include "tandem/machines/cable_robot/ros_orders.hpp"
#include "tandem/machines/cable_robot/scene.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/tf_broadcaster.hpp"

namespace tandem::cable_robot {

class Ros {
 public:
  struct Setup {
    std::string node, name_space;
    std::string hardware;  // for /diagnostics: the machine's name and its device
    std::string platform_frame;
    bool tf = true;
    RosOrdersSetup orders;
    Duration publish_period = 10ms, markers_period = 50ms;
    Duration stale_after = 100ms;
  };
  // Throws std::invalid_argument for names that cannot be.
  static Setup setup_from(const machines::Setup& setup, const Times& times, Commander commander);

  // `state` is what /diagnostics looks at, from its own thread; `orders` is where commands go.
  Ros(ros2::Context& context, const Setup& setup, const cables::Robot& robot, Clock& clock, const Latest<State>& state,
      Orders& orders);

  ros2::FullNode& node() { return node_; }
  const RosOrders& orders() const { return orders_; }
  // One sample, received at that time of the machine's clock; told as often as the setup says.
  void publish(const State& state, Instant received);

 private:
  void log(const State& state, Instant now);

  ros2::FullNode node_;
  Clock& clock_;
  const Duration publish_period_, markers_period_, log_interval_;
  ros2::Publisher<ros2::sensor_msgs::JointState> states_publisher_;
  ros2::Publisher<ros2::std_msgs::Float64MultiArray> tensions_publisher_;
  ros2::Publisher<ros2::visualization_msgs::MarkerArray> markers_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_, set_point_publisher_;
  std::optional<ros2::TfBroadcaster> tf_;
  ros2::sensor_msgs::JointState states_;
  ros2::std_msgs::Float64MultiArray tensions_;
  ros2::geometry_msgs::PoseStamped pose_, set_point_;
  ros2::geometry_msgs::TransformStamped transform_;
  Markers markers_;
  Instant next_publish_{}, next_markers_{}, next_log_{}, next_refusal_{};
  std::uint64_t told_refused_ = 0;
  std::string told_stop_;
  RosOrders orders_;
  ros2::Diagnostics diagnostics_;  // last: it asks the others
};

// Where a person's sliders go on that node.
PoseTopic pose_topic_from(const Ros::Setup& setup);

}  // namespace tandem::cable_robot
