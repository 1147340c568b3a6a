// SPDX-License-Identifier: Apache-2.0
// What the Orca is to ROS users: the node, topics and frames of the vehicle's own project, and mavros' names on demand.
#pragma once

#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/ros/commands.hpp"
#include "tandem/machines/orca/ros/mavros.hpp"
#include "tandem/machines/orca/ros/mavros_commands.hpp"
#include "tandem/machines/orca/ros/messages.hpp"
#include "tandem/machines/orca/scene.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"
#include "tandem/ros2/tf/listener.hpp"

namespace tandem::orca {

class Topics {
 public:
  struct Setup {
    std::string node, name_space;
    std::string hardware;  // for /diagnostics: the machine's name and its device
    bool tf = true;
    bool hear_transforms = false;  // base_link to camera_link and ping_link come from another node
    bool mavros = false;
    Duration twist_timeout = 500ms;
    StickScale sticks;
  };
  // Throws std::invalid_argument for invalid names.
  static Setup setup_from(const machines::Setup& setup);

  // `shared` is what /diagnostics and the clouds look at, from threads of their own; `commands` is where frames and
  // commands go.
  Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& shared, Commands& commands,
         const machines::Lines& lines);

  ros2::FullNode& node() { return node_; }

  // Of the machine's thread. What the autopilot says, received at that time of the machine's clock.
  void publish_vehicle(const State& state, Instant received);
  // What the SLAM says, with the stamp of its image.
  void publish_vision(const State& state, UtcTime stamp);
  // Whether the frames between body and camera are known, and where the camera then is.
  bool transforms_known();
  const std::optional<Pose>& X_base_camera() const { return X_base_camera_; }
  void reset_slam();
  void say(std::uint8_t severity, std::string_view text);
  void answer(const CommandAnswer& answer) { questions_.answer(answer); }

 private:
  // Sent once, for all who come later.
  void tell_static_frames(const Setup& setup);
  void hear(const ros2::orb_slam3_msgs::SlamStatus& message, const ros2::MessageInfo& info);
  void forward(const ros2::sensor_msgs::PointCloud2& cloud);

  ros2::FullNode node_;
  Clock& clock_;
  const Latest<State>& shared_;
  Commands& commands_;
  const Setup setup_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> ekf_pose_publisher_, slam_pose_publisher_, slam_delta_publisher_;
  ros2::Publisher<ros2::orca_msgs::FilterStatus> ekf_status_publisher_;
  ros2::Publisher<ros2::orca_msgs::BridgeStatus> bridge_status_publisher_;
  ros2::Publisher<ros2::sensor_msgs::PointCloud2> points_publisher_;
  std::optional<ros2::TfBroadcaster> tf_;
  std::optional<ros2::StaticTfBroadcaster> static_tf_;
  std::optional<ros2::TfBuffer> tf_buffer_;
  std::optional<ros2::TfListener> tf_listener_;
  std::optional<Pose> X_base_camera_;
  Instant next_look_{};
  ros2::geometry_msgs::PoseStamped ekf_pose_, slam_pose_, slam_delta_;
  ros2::geometry_msgs::TransformStamped base_, slam_;
  ros2::orca_msgs::FilterStatus ekf_status_;
  ros2::orca_msgs::BridgeStatus bridge_status_;
  std::optional<MavrosTopics> mavros_;
  SightingReader reader_;                 // of the thread that delivers slam_status
  ros2::sensor_msgs::PointCloud2 cloud_;  // of the thread that delivers map_points
  Questions questions_;
  Refusals refusals_;
  ros2::Client<ros2::std_srvs::Empty> reset_client_;
  ros2::Subscription slam_subscription_, points_subscription_;
  RosCommands orders_heard_;
  std::optional<RosCommands> mavros_orders_heard_;
  std::optional<MavrosCommands> mavros_commands_heard_;
  ros2::Diagnostics diagnostics_;  // last: it asks the others
};

// Where a person's keys go on that node, and where the camera's images come from.
JogTopic jog_topic_from(const Topics::Setup& setup);
std::string camera_topic_from(const Topics::Setup& setup);

}  // namespace tandem::orca
